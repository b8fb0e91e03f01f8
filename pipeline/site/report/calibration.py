"""The calibration page: how often intervals contain values stated by others, and which data determine the widths."""

from collections.abc import Sequence

import altair as alt
from markupsafe import Markup

from pipeline.site import charts
from pipeline.site.report import Row
from schemas.vocabulary import EvidenceClass, RangeBasis, WeakReason

NUMBERS = {
    "confirmed": "Half-width of a count that the authors' total confirms",
    "stated": "Half-width of a count of a stated network and stated data",
    "weak": "Half-width of any other count, and of the authors' total",
    "whole_run": "Share of the predicted utilization that whole runs reach",
    "gpu_time_up": "Half-width of GPU time upwards",
    "gpu_time_down": "Half-width of GPU time downwards",
}
INPUTS = {  # phrases for the inputs of external estimates
    "all": "all",
    "not same_time": "all that do not share the ledger's time",
    "own": "of their own",
    "same_count": "the ledger's count",
    "same_time": "the ledger's time",
    "same_both": "the ledger's count and time",
    "unknown": "not known",
}
SIX_ND = "six operations per parameter and example"
LEVELS = ("50", "80", "90", "95")


def page(
    calibration: Row | None,
    statement_counts: Sequence[Row],
    range_backtests: Sequence[Row],
) -> Row:
    """Return the page's values. `calibration` is the summary from `make fit-uncertainty`, or None if the release has no summary."""
    counts = {row["headline_kind"]: row for row in statement_counts}
    meanings = {word.value: word.words for word in EvidenceClass} | {WeakReason.FROM_PARAMETERS.value: SIX_ND}
    return {
        "by_class": [{**counts[kind], "meaning": words} for kind, words in meanings.items() if kind in counts],
        "ranges": [
            {**row, "meaning": RangeBasis(row["range_basis"]).words}
            for row in sorted(range_backtests, key=lambda row: (row["range_basis"], row["is_forwards"]))
        ],
        "fit": calibration,
        "ranks": ranks(calibration["ranks"]) if calibration else None,
        "words": NUMBERS,
        "inputs": INPUTS,
        "levels": LEVELS,
    }


def ranks(bins: Sequence[Row]) -> Markup:
    """Return a histogram of totals stated by others, by percentile of our estimates, with the numbers to expect if the percentiles are right."""
    marks = [{**row, "line": f"{row['low']:g} to {row['high']:g} %"} for row in bins]
    base = alt.Chart(charts.data(marks), width=charts.WIDTH - 200, height=alt.Step(24))
    y = alt.Y("line:N", sort=None, title="Percentiles of the headline's distribution")
    bars = base.mark_bar(height=12, color=charts.BLUE, opacity=0.6)
    ticks = base.mark_tick(color=charts.PAGE.ink, thickness=2, height=20)
    chart = alt.layer(bars.encode(x=alt.X("held:Q", title="Totals"), y=y), ticks.encode(x=alt.X("expected:Q"), y=y))
    words = "; ".join(f"{row['line']}: {row['held']}, {row['expected']:g} expected" for row in marks)
    return charts.figure(
        chart, f"Totals stated by others, by their percentile in the headline's distribution. {words}."
    )
