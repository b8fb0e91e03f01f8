"""Changes per release: headlines that changed, models added, counts of other changes; and a feed of headlines."""

import math
from collections import Counter
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import NamedTuple

from pipeline.publishing.changes import ADDED, GONE, UNRELEASED
from pipeline.site.ledger import Ledger, Row
from pipeline.site.page import Site
from pipeline.site.reasons import in_words
from schemas.tables import columns_of

HEADLINE, ENDS = "training_flop", ("training_flop_low", "training_flop_high")
MOST_NEWS = 100


class Release(NamedTuple):
    """A release's changes: headlines, largest factor first; ids of models added and removed; and the number of changes in each other column."""

    name: str
    moved: list[Row]
    added: list[str]
    gone: list[str]
    others: list[tuple[str, int]]


def write(site: Site, ledger: Ledger) -> None:
    """Write changes.html and changes.xml."""
    all_releases = releases(ledger.rows("changes"))
    shared = {"names": ledger.names_of_models, "reason": lambda text: in_words(text, ledger.names_of_models)}
    site.page(
        "changes.html",
        "changes.html",
        releases=all_releases,
        labels={name: label for name, (column, _) in columns_of("estimates").items() if (label := column.label)},
        unreleased=UNRELEASED,
        has_file=(ledger.published / "changes.csv").is_file(),
        **shared,
    )
    feed = site.rendered(
        "changes.xml",
        start=f"{site.place.address}/" if site.place.address else "",
        news=[(release.name, row) for release in all_releases for row in release.moved][:MOST_NEWS],
        day=format_datetime(datetime.fromisoformat(site.version[:10]).replace(tzinfo=UTC)),
        **shared,
    )
    site.text("changes.xml", feed)


def releases(changes: list[Row]) -> list[Release]:
    """Return the changes by release, newest first."""
    names = sorted({row["release"] for row in changes}, key=lambda name: (name == UNRELEASED, name), reverse=True)
    return [_release(name, [row for row in changes if row["release"] == name]) for name in names]


def _release(name: str, changes: list[Row]) -> Release:
    """Return a release's changes: moved headlines (largest first), models added and removed, other columns."""
    ends = {(row["model_id"], row["column_name"]): row for row in changes if row["column_name"] in ENDS}
    headlines = [row for row in changes if row["column_name"] == HEADLINE and row["reason"] not in (ADDED, GONE)]
    moved = [_move(row, [ends.get((row["model_id"], end)) for end in ENDS]) for row in headlines]
    moved.sort(key=lambda row: (-abs(math.log(row["factor"])) if row["factor"] else -math.inf, row["model_id"]))
    others = Counter(row["column_name"] for row in changes if row["column_name"] != HEADLINE)
    return Release(
        name,
        moved,
        sorted(row["model_id"] for row in changes if row["reason"] == ADDED),
        sorted(row["model_id"] for row in changes if row["reason"] == GONE),
        sorted(others.items(), key=lambda column: (-column[1], column[0])),
    )


def _move(row: Row, ends: list[Row | None]) -> Row:
    old, new = number(row["old"]), number(row["new"])
    intervals = {
        when: [number(end[when]) for end in ends if end] if all(ends) else [None, None] for when in ("old", "new")
    }
    return {**row, "old": old, "new": new, "factor": new / old if old and new else None, "intervals": intervals}


def number(text: str | None) -> float | None:
    """Return a published figure as a number, or None if it is empty.

    >>> number("3.5e+21"), number(None), number("")
    (3.5e+21, None, None)
    """
    return float(text) if text else None
