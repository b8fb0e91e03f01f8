"""Another catalogue's rows, estimated by the same stages without a record of our own: one page for all."""

import math
from collections import Counter

from pipeline.site import axes
from pipeline.site.columns import present, shown
from pipeline.site.ledger import Ledger, Row
from pipeline.site.page import Site
from pipeline.site.pages.first import TABLE_AXIS
from pipeline.site.pages.search import slug

COLUMNS = ("published", "domain", "parameters", "hardware", "chip_hours", "energy_kwh")
FIGURES = ("training_flop", "training_flop_low", "training_flop_high")
KINDS = {
    "estimate": "with an estimate",
    "interval": "with an interval alone",
    "record": "with a record of our own",
    "none": "without an estimate",
}


def write(site: Site, ledger: Ledger) -> None:
    """Writes catalogue.html where the release has such a table."""
    rows = ledger.rows("catalogue_estimates")
    if not rows:
        return
    records = {row["model_id"]: row for row in ledger.models}
    marks: Counter[str] = Counter()
    shown_rows = []
    named = ({**row, "hardware": ledger.chips_named(row["hardware"])} for row in rows)
    described = (_of_record(row, records) for row in named)
    for row in sorted(described, key=lambda row: (-(row["training_flop"] or 0), -(row["middle"] or 0), row["name"])):
        mark = slug(row["name"])
        marks[mark] += 1
        shown_rows.append({**row, "mark": mark if marks[mark] == 1 else f"{mark}-{marks[mark]}"})
    site.page(
        "catalogue.html",
        "catalogue.html",
        rows=shown_rows,
        columns=present(COLUMNS, shown_rows),
        shown=shown,
        kinds=KINDS,
        counts=Counter(row["kind"] for row in shown_rows),
        domains=sorted({row["domain"] for row in shown_rows}),
        axis=axes.between(*TABLE_AXIS),
    )


def _of_record(row: Row, records: dict[str, Row]) -> Row:
    """A row with what is shown of it: of a model with a record, the record's columns; the middle by which rows without a point are sorted."""
    record = records.get(row["model_id"] or "")
    figures = {name: (record or row)[name] for name in FIGURES}
    point, low, high = figures.values()
    kind = "record" if record else "estimate" if point is not None else "interval" if low is not None else "none"
    middle = point if point is not None else math.sqrt(low * high) if low is not None and high is not None else None
    spot = axes.between(*TABLE_AXIS).spot(middle, low, high) if middle is not None else None
    if spot is not None and point is None:
        spot = spot._replace(middle=None)
    columns = {name: (record or row)[name] for name in COLUMNS if name in (record or row)}
    return {
        **row,
        **figures,
        **columns,
        "kind": kind,
        "middle": middle,
        "spot": spot,
        "organization": _spaced(row["organization"]),
    }


def _spaced(names: str | None) -> str:
    return ", ".join(name.strip() for name in (names or "").split(","))
