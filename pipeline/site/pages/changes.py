"""Changes per release: headlines and intervals that moved, models added, counts of other changes; a feed of headlines."""

import math
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import NamedTuple

from pipeline.publishing.changes import ADDED, GONE, UNRELEASED
from pipeline.site.ledger import Ledger, Row
from pipeline.site.page import Site
from pipeline.site.reasons import in_words
from schemas.tables import columns_of

HEADLINE = "training_flop"
FIGURES = (HEADLINE, "training_flop_low", "training_flop_high")
MOST_NEWS = 100


class Release(NamedTuple):
    """A release's changes: rows of headlines that moved (largest factor first), of intervals around a headline that did not move, and of models added and removed; and the number of changes in each other column."""

    name: str
    moved: list[Row]
    widths: list[Row]
    added: list[Row]
    gone: list[Row]
    others: list[tuple[str, int]]

    @property
    def title(self) -> str:
        """Return the heading of the release."""
        return "Since the last release" if self.name == UNRELEASED else f"Release {self.name}"


def write(site: Site, ledger: Ledger) -> None:
    """Write changes.html and changes.xml."""
    all_releases = releases(ledger.rows("changes"), ledger.models)
    shared = {"names": ledger.names_of_models, "reason": lambda text: in_words(text, ledger.names_of_models)}
    site.page(
        "changes.html",
        "changes.html",
        releases=all_releases,
        labels={name: label for name, (column, _) in columns_of("estimates").items() if (label := column.label)},
        has_file=(ledger.published / "changes.csv").is_file(),
        **shared,
    )
    feed = site.render(
        "changes.xml",
        start=f"{site.place.address}/" if site.place.address else "",
        news=[(release.name, row) for release in all_releases for row in release.moved][:MOST_NEWS],
        day=format_datetime(datetime.fromisoformat(site.version[:10]).replace(tzinfo=UTC)),
        **shared,
    )
    site.text("changes.xml", feed)


def releases(changes: list[Row], models: Iterable[Row]) -> list[Release]:
    """Return the changes by release, newest first. A figure that did not move is that of the next release, or of `models`."""
    names = sorted({row["release"] for row in changes}, key=lambda name: (name == UNRELEASED, name), reverse=True)
    figures: dict[str, Row] = {row["model_id"]: {name: row[name] for name in FIGURES} for row in models}
    return [_release(name, [row for row in changes if row["release"] == name], figures) for name in names]


def _release(name: str, changes: list[Row], figures: dict[str, Row]) -> Release:
    """Return a release's changes. Replace the `figures` after it by those before it."""
    moves: dict[str, list[Row]] = {}
    for row in changes:
        if row["column_name"] in FIGURES:
            moves.setdefault(row["model_id"], []).append(row)
    kinds: dict[str, list[Row]] = {kind: [] for kind in (HEADLINE, "widths", ADDED, GONE)}
    for model, rows in sorted(moves.items()):
        first = min(rows, key=lambda row: FIGURES.index(row["column_name"]))
        move = {"model_id": model, "reason": first["reason"], **_figures(figures.get(model, {}), rows)}
        figures[model] = move["old"]
        kinds.get(first["reason"], kinds.get(first["column_name"], kinds["widths"])).append(move)
    moved, *rest = kinds.values()
    moved.sort(key=lambda row: (-abs(math.log(row["factor"])) if row["factor"] else -math.inf, row["model_id"]))
    others = Counter(row["column_name"] for row in changes if row["column_name"] not in FIGURES)
    return Release(name, moved, *rest, sorted(others.items(), key=lambda column: (-column[1], column[0])))


def _figures(known: Row, rows: list[Row]) -> Row:
    """Return a model's figures before and after these changes, and the factor between the headlines."""
    old, new = (known | {row["column_name"]: number(row[when]) for row in rows} for when in ("old", "new"))
    before, after = old.get(HEADLINE), new.get(HEADLINE)
    return {"old": old, "new": new, "factor": after / before if before and after else None}


def number(text: str | None) -> float | None:
    """Return a published figure as a number, or None if it is empty.

    >>> number("3.5e+21"), number(None), number("")
    (3.5e+21, None, None)
    """
    return float(text) if text else None
