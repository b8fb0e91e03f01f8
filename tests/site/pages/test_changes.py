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
        row("down", "parameters", "1", "2"),
        row("wider", "training_flop_high", "2e20", "3e20"),
        row("wider", "training_flop_high", "3e20", "4e20", release=UNRELEASED),
        row("new", "training_flop", None, "1e21", ADDED),
        row("lost", "training_flop", "1e20", None),
        row("later", "training_flop", "1", "2", release=UNRELEASED),
        *(row("same-day", "training_flop", "1", "2", release=f"2026-01-01.{n}") for n in (3, 2)),
    ]
    figures = dict(zip(changes.FIGURES, (1e20, 9e19, 4e20), strict=True))
    newest, *later, first = changes.releases(rows, [{"model_id": "wider", **figures}])
    assert (newest.name, [change["model_id"] for change in newest.moved]) == (UNRELEASED, ["later"])
    assert [release.title for release in later] == ["Release 2026-01-01.3", "Release 2026-01-01.2"]
    assert [(change["model_id"], change["factor"]) for change in first.moved] == [
        ("lost", None),
        ("down", 0.1),
        ("up", 2.0),
    ]
    assert [[*first.moved[1][when].values()] for when in ("old", "new")] == [[1e20, 5e19, 2e20], [1e19, 5e18, 2e19]]
    highs = [
        change[when]["training_flop_high"] for change in (*first.widths, *newest.widths) for when in ("old", "new")
    ]
    assert (highs, first.widths[0]["old"][changes.HEADLINE]) == ([2e20, 3e20, 3e20, 4e20], 1e20)
    assert ([change["model_id"] for change in first.added], first.gone, first.others) == (["new"], [], [("parameters", 1)])  # fmt: skip
