"""The first page: the explorer (chart, table and trends of the selected models), four figures, disclosure by year."""

from typing import Any

from markupsafe import Markup

from pipeline.answers import trends
from pipeline.base.text.json_text import json_line, json_value
from pipeline.publishing import croissant, csv_cells
from pipeline.site import charts, growth, overview
from pipeline.site.columns import cell_html, used_columns
from pipeline.site.ledger import Ledger, Row
from pipeline.site.page import Link, Site
from pipeline.site.pages import catalogue
from schemas.vocabulary import POSSIBLE_FRACTION, THRESHOLDS, Tier

# Columns of the table of all models.
TABLE = ("published", "domain", "parameters", "examples_seen", "hardware", "chips", "weights_access")
WITH_BASE = ("examples_seen", "chips")  # columns whose values include the base model
QUANTITIES = {  # columns that the chart can show, with the titles of the axis
    "training_flop": "Training compute, FLOP",
    "cost_usd": "Cost of training, US dollars",
    "energy_kwh": "Energy of training, kWh",
    "parameters": "Parameters",
    "examples_seen": "Tokens, or other examples, seen in training",
    "chip_hours": "Chip-hours of training",
}
# Standard views with files in latest/: the quantities that have intervals. estimates.csv has the others as they are.
VIEWS = {"training_flop": "compute_over_time", "cost_usd": "cost_over_time", "energy_kwh": "energy_over_time"}
FIGURES = ("training_flop", "training_flop_low", "training_flop_high")
# A model's columns in the explorer and its files.
COLUMNS = (
    "tier model_id name aliases organization parent_organization country domain published published_date published_precision weights_access"
    " hardware is_disputed is_fine_tuned training_flop training_flop_low training_flop_high cost_usd cost_usd_low cost_usd_high"
    " training_flop_at_least external_flop external_bound threshold_total cumulative_flop"
    " probability_above_1e23_fraction probability_above_1e25_fraction probability_above_1e26_fraction energy_kwh energy_kwh_low energy_kwh_high parameters examples_seen example_unit chip_hours"
).split()

# Columns of which the page shows three digits.
ROUNDED = {name for name in COLUMNS if name.startswith(("probability", "cost_usd_", "energy_kwh_"))}

LINK = Link(1, "index.html", "Models")


def write(site: Site, ledger: Ledger) -> None:
    """Write index.html, the explorer's data, and the chart's standard views as CSV and JSON."""
    points = growth.points(ledger.models)
    shown_points = [point for point in points if point["date"] >= f"{overview.FIRST_YEAR}"]
    lines = trends.trends(ledger.models, overview.FIRST_YEAR)
    trend = next((row for row in lines if row["frontier"] == trends.FRONTIER), None)
    spots = (row["training_flop"] and catalogue.AXIS.spot(*(row[name] for name in FIGURES)) for row in ledger.models)
    record_rows = [{**row, "spot": spot, "mark": None} for row, spot in zip(ledger.models, spots, strict=True)]
    models = [*_in_order(record_rows, Tier.RECORD), *_in_order(catalogue.without_record(ledger), Tier.CATALOGUE)]
    records = [row for row in models if row["tier"] == Tier.RECORD]
    words = (
        f"Training compute of {len(shown_points)} models by date of publication, with 90 % intervals, on a log scale."
    )
    wide = overview.chart(shown_points, overview.WIDE, trend) if shown_points else None
    known = [row for row in records if row["training_flop"] is not None]
    site.page(
        "index.html",
        "first.html",
        models=models,
        dataset=Markup(croissant.dataset(ledger.package, site.place.address)),
        number=len(records),
        known=len(known),
        from_year=sum(row["published"] >= f"{overview.FIRST_YEAR}" for row in records),
        largest=known[0] if known else None,
        pairs=next(iter(ledger.rows_with("method_comparison_summary", "grouping", "all")), None),
        columns=used_columns(TABLE, models),
        shown=cell_html,
        with_base=WITH_BASE,
        axis=catalogue.AXIS,
        quantities=QUANTITIES,
        chart=charts.svg_chart(wide, words) if wide else "",
        narrow_chart=charts.svg_chart(overview.chart(shown_points, overview.NARROW, trend), words) if wide else "",
        views=VIEWS,
        growths={year: trends.trend(ledger.models, year) for year in (trends.FIRST_YEAR, trends.RECENT_YEAR)},
        largest_by_year=ledger.rows("largest_in_epoch"),
        lines=lines,
        frontiers=trends.FRONTIERS,
        possible=POSSIBLE_FRACTION,
        first_year=overview.FIRST_YEAR,
        read_on=max((row["fetched_on"] for row in ledger.rows("watched_sources") if row["fetched_on"]), default=None),
        has_catalogue="catalogue_estimates" in ledger.names,
    )
    if shown_points:
        _explorer(site, models, shown_points, lines, trend)
    for quantity, name in VIEWS.items():
        _view(site, ledger.models, quantity, name)


def _view(site: Site, models: list[Row], quantity: str, name: str) -> None:
    """Write the chart of one quantity, without a selection, as CSV and as JSON with its trends."""
    value = "flop" if quantity == "training_flop" else quantity
    columns = ("id", "name", "organization", "date", value, "low", "high", "group", "is_fine_tuned")
    points = [
        {name: (row | {value: row["flop"]})[name] for name in columns} for row in growth.all_points(models, quantity)
    ]
    site.text(f"latest/{name}.csv", csv_cells.text(columns, [[*row.values()] for row in points]))
    lines = trends.trends([{**row, "training_flop": row[quantity]} for row in models], overview.FIRST_YEAR)
    content = {"version": site.version, "licence": "CC BY 4.0", "quantity": QUANTITIES[quantity]}
    more = {"first_year_of_trends": overview.FIRST_YEAR, "trends": lines, "models": points}
    site.text(f"latest/{name}.json", json_line(json_value(content | more)) + "\n")


def _in_order(rows: list[Row], tier: Tier) -> list[Row]:
    """Return the rows, largest first, each with its tier and whether the model was derived from another."""
    ordered = sorted(rows, key=lambda row: (-(row["training_flop"] or 0), row["model_id"] or row["name"]))
    is_tuned = ("base_model", "base_training_flop")
    return [
        {**row, "tier": tier.value, "is_fine_tuned": any(row.get(name) is not None for name in is_tuned)}
        for row in ordered
    ]


def _explorer(site: Site, models: list[Row], points: list[Row], lines: list[Row], trend: Row | None) -> None:
    """Write data/explorer.js: the models in the table's order, and the chart that shows them with its trends."""

    def value(row: Row, name: str) -> Any:
        cell = row.get(name)
        if name in ROUNDED and cell is not None:
            return float(f"{cell:.3g}")
        return cell.isoformat() if cell is not None and name == "published_date" else cell

    page = charts.vega_lite(overview.chart(points, overview.WIDE, trend))
    picture = overview.picture(points, overview.TITLE, site.version, trend)
    for spec in (page, picture):
        spec["data"]["values"] = []  # the browser inserts the reader's selection
    site.script(
        "data/explorer.js",
        "explorer",
        {
            "models": {name: [value(row, name) for row in models] for name in COLUMNS},
            "page": page,
            "picture": picture,
            "colours": {
                name: [*colours.groups, colours.paper]
                for name, colours in (("page", charts.PAGE), ("picture", charts.PICTURE))
            },
            "shapes": charts.SHAPES,
            "groups": growth.GROUP_OF,
            "quantities": QUANTITIES,
            "named": {**growth.NAMED, "most": growth.MOST_NAMES, "candidates": growth.CANDIDATES},
            "thresholds": {str(threshold.flop): threshold.column for threshold in THRESHOLDS},
            "possible": POSSIBLE_FRACTION,
            "others": growth.OTHERS,
            "floors": growth.FLOORS,
            "places": {
                "list": overview.PLACES,
                "near": overview.NEAR,
                "clear": overview.CLEAR,
                "clearly": overview.CLEARLY,
                "parts": overview.PARTS,
            },
            "letters": {"page": overview.WIDE._asdict(), "picture": overview.SLIDE._asdict()},
            "trend": {"few": trends.TOO_FEW, "least": trends.LEAST, "frontiers": trends.FRONTIERS},
            "version": site.version,
        },
    )
