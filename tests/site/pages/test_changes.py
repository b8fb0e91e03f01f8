"""The page of changes, made from rows of the table `changes`."""

from pipeline.publishing.changes import ADDED, UNRELEASED
from pipeline.site.pages import changes


def row(model, column, old, new, reason="words", release="2026-01-01"):
    return {"model_id": model, "release": release, "column_name": column, "old": old, "new": new, "reason": reason}


def test_headlines_are_ordered_by_how_far_they_moved_and_have_their_intervals():
    rows = [
        row("up", "training_flop", "1e20", "2e20"),
        row("down", "training_flop", "1e20", "1e19"),
        row("down", "training_flop_low", "5e19", "5e18"),
        row("down", "training_flop_high", "2e20", "2e19"),
        row("new", "training_flop", None, "1e21", ADDED),
        row("lost", "training_flop", "1e20", None),
        row("later", "training_flop", "1", "2", release=UNRELEASED),
        *(row("same-day", "training_flop", "1", "2", release=f"2026-01-01.{n}") for n in (3, 2)),
    ]
    newest, *later, first = changes.releases(rows)
    assert (newest.name, [change["model_id"] for change in newest.moved]) == (UNRELEASED, ["later"])
    assert [release.name for release in later] == ["2026-01-01.3", "2026-01-01.2"]
    assert [(change["model_id"], change["factor"]) for change in first.moved] == [
        ("lost", None),
        ("down", 0.1),
        ("up", 2.0),
    ]
    assert first.moved[1]["intervals"] == {"old": [5e19, 2e20], "new": [5e18, 2e19]}
    assert (first.added, first.gone, first.others) == (["new"], [], [("training_flop_high", 1), ("training_flop_low", 1)])  # fmt: skip
