"""The first page: a search box, the chart of compute over time, the table of all models."""

from markupsafe import Markup

from pipeline.publishing import croissant, csv_cells, trends
from pipeline.site import axes, charts, growth, overview
from pipeline.site.columns import present, shown
from pipeline.site.ledger import Ledger
from pipeline.site.page import Link, Site
from schemas import columns

WITH_BASE = ("examples_seen", "chips")  # columns that include what a base model took
TABLE_AXIS = (1e15, 1e27)  # smaller models are at its left end; the figures beside it are not cut

LINK = Link(1, "index.html", "Models")


def write(site: Site, ledger: Ledger) -> None:
    """Writes index.html, and the chart's description and data for the browser."""
    points = growth.points(ledger.models)
    shown_points = [point for point in points if point["date"] >= f"{trends.FIRST_YEAR}"]
    trend = trends.trend(ledger.models)
    axis = axes.between(*TABLE_AXIS)
    models = [
        {
            **row,
            "flop": f"{row['training_flop']:.6g}" if row["training_flop"] is not None else "",
            "spot": axis.spot(row["training_flop"], row["training_flop_low"], row["training_flop_high"])
            if row["training_flop"] is not None
            else None,
        }
        for row in ledger.models
    ]
    words = f"Training compute of {len(points)} models by date of publication, with 90 % intervals, on a log scale."
    wide = overview.chart(shown_points, overview.WIDE, trend) if shown_points else None
    site.page(
        "index.html",
        "first.html",
        models=sorted(models, key=lambda row: (-(row["training_flop"] or 0), row["model_id"])),
        dataset=Markup(croissant.dataset(ledger.package, site.place.address)),
        known=sum(row["training_flop"] is not None for row in models),
        columns=present(columns.shown("table"), models),
        shown=shown,
        with_base=WITH_BASE,
        axis=axis,
        groups=list(growth.GROUPS),
        domains=sorted({row["domain"] for row in models}),
        chart=charts.inline(wide, words) if wide else "",
        narrow_chart=charts.inline(overview.chart(shown_points, overview.NARROW, trend), words) if wide else "",
        growth=trends.sentence(trend) if trend else None,
        first_year=trends.FIRST_YEAR,
        read_on=max((row["fetched_on"] for row in ledger.rows("watched_sources") if row["fetched_on"]), default=None),
        has_catalogue="catalogue_estimates" in ledger.names,
    )
    if wide:
        site.script("data/overview.js", "overview", {"spec": charts.themed(wide), "words": words})
    fields = ("id", "name", "organization", "date", "flop", "low", "high")
    site.text(
        "latest/compute_over_time.csv", csv_cells.text(fields, [[row[name] for name in fields] for row in points])
    )
