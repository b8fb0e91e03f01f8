"""Check whether facts still match the repository's cells that they cite as `via: "TABLE: ROW, COLUMN"`."""

import re
from functools import cache

from pipeline.base.paths import SNAPSHOTS
from pipeline.records import evidence, places
from schemas.facts import Fact, Quote, Seen
from schemas.plain_text import cut

VIA = re.compile(r"(?P<table>epoch_\w+?)_20\d\d(?:_\d\d)?: (?P<row>.+), (?P<column>[^,]+)")


def difference(fact: Seen) -> str | None:
    """Return how a fact differs from the cell that it cites; None if it does not, or the table is not here.

    A difference is reported only as a remark, because snapshots change and do not contain the makers' own words.
    """
    place = VIA.fullmatch(fact.via or "")
    table = _table(place["table"]) if place and not fact.quote else None
    if not place or not table:
        return None
    rows = table.get(_plain_name(place["row"]), [])
    cells = [row[place["column"]] for row in rows if row.get(place["column"])]
    if not cells:
        missing = f"cell {place['column']!r} in the row {place['row']!r}" if rows else f"row {place['row']!r}"
        return f"via: today's {place['table']}.csv has no {missing}"
    doubts = [_doubt(fact, cell, place["column"]) for cell in cells]
    # Several rows may have this name; one cell that supports the fact is enough. The message calls its quote a cell.
    return None if None in doubts else f"via: {doubts[0]}".replace("quote ", "cell ", 1)


def _doubt(fact: Seen, cell: str, column: str) -> str | None:
    if isinstance(fact, Fact):
        return evidence.doubt(fact, {column: Quote.model_construct(text=cell, where=column, source="")})
    is_other = fact.derived is not None and fact.derived.casefold() not in cell.casefold()
    return f"today's cell {column!r} is {cut(cell)!r}, not {fact.derived!r}" if is_other else None


@cache
def _table(name: str) -> dict[str, list[dict[str, str]]]:
    """Return the rows of a snapshot by model name; no rows if the snapshot is missing."""
    rows: dict[str, list[dict[str, str]]] = {}
    for row in places.rows_of(f"{name}.csv", [SNAPSHOTS]):
        rows.setdefault(_plain_name(row["Model"]), []).append(row)
    return rows


def _plain_name(name: str) -> str:
    return " ".join(name.split())  # some cells have no-break spaces or end in a line break
