"""The catalogue page: another catalogue's models for which we have no record, estimated by the same stages."""

from collections import Counter

from pipeline.site import axes, numbers
from pipeline.site.columns import cell_html, heads, used_columns
from pipeline.site.ledger import Ledger, Row
from pipeline.site.page import Site
from pipeline.site.pages.search import slug

COLUMNS = ("published", "domain", "parameters", "hardware", "chip_hours", "energy_kwh")
AXIS = axes.axis_of(1e15, 1e27)  # smaller models are drawn at the left end; the figures next to them are exact
KINDS = {"estimate": "with an estimate", "floor": "with a lower bound", "none": "without an estimate"}


def write(site: Site, ledger: Ledger) -> None:
    """Write catalogue.html, if the release has a catalogue table."""
    all_rows, rows = ledger.rows("catalogue_estimates"), without_record(ledger)
    if not all_rows:
        return
    site.page(
        "catalogue.html",
        "catalogue.html",
        rows=rows,
        recorded=len(all_rows) - len(rows),
        snapshots=[
            (row["name"], row["fetched_on"])
            for row in ledger.rows("watched_sources")
            if row["name"].endswith("AI models")
        ],
        columns=(columns := used_columns(COLUMNS, rows)),
        heads=heads(columns),
        shown=cell_html,
        kinds=KINDS,
        counts=Counter(row["kind"] for row in rows),
        domains=sorted({row["domain"] for row in rows}),
        axis=AXIS,
    )


def without_record(ledger: Ledger) -> list[Row]:
    """Return the rows of models without a record, largest first, with `mark` (anchor), `kind` and `spot` (axis)."""
    marks: Counter[str] = Counter()
    rows = [row for row in ledger.rows("catalogue_estimates") if row["model_id"] is None]
    described = []
    for row in sorted(
        rows, key=lambda row: (-(row["training_flop"] or 0), -(row["training_flop_at_least"] or 0), row["name"])
    ):
        mark = slug(row["name"])
        marks[mark] += 1
        way = "by operations" if row["headline_method"] == "operation_count" else "by GPU time"
        if row["base_training_flop"] is not None:
            way = f"its base model's {numbers.power(row['base_training_flop'])} FLOP and what was added, if stated"
        how = "; ".join(filter(None, (way if row["training_flop"] is not None else None, row["rules"])))
        more = {"how": how, "hardware": ledger.chips_named(row["hardware"]), **_place(row)}
        described.append({**row, **more, "mark": mark if marks[mark] == 1 else f"{mark}-{marks[mark]}"})
    return described


def _place(row: Row) -> Row:
    """Return what is known of a row, and its place on the axis."""
    point, low, high = (row[name] for name in ("training_flop", "training_flop_low", "training_flop_high"))
    if point is not None:
        return {"kind": "estimate", "spot": AXIS.spot(point, low, high)}
    return {"kind": "none" if row["training_flop_at_least"] is None else "floor", "spot": None}
