"""The compute page: a comparison of the two methods."""

from collections.abc import Sequence

import altair as alt
from markupsafe import Markup

from pipeline.site import charts
from pipeline.site.numbers import times
from pipeline.site.report import Row, whole

GROUPINGS = ("all", "published", "imputed", "domain", "year")  # in the order of the page's table
GROUPS = {
    "imputed": "an input was imputed",
    "stated": "no input was imputed",
    "ai-and-compute": "AI and Compute's pairs",
}
DISPUTED = "disputed"


def page(
    estimates: Sequence[Row], release_counts: Sequence[Row], method_agreement: Sequence[Row],
    method_comparison_summary: Sequence[Row],
    dispute_ratio: float,
) -> Row:  # fmt: skip
    """Return the page's values from the tables and views that its arguments name. Methods that differ by more than `dispute_ratio` disagree."""
    (counts,) = release_counts
    both = [row for row in estimates if row["method_ratio"] is not None]
    return {
        "counts": counts,
        "agreement": whole(method_agreement),
        "largest": max(
            (row for row in estimates if row["training_flop"] is not None and row["base_model"] is None),
            key=lambda row: row["training_flop"],
            default=None,
        ),
        "methods": methods(both, dispute_ratio) if both else None,
        "group_words": GROUPS,
        "groups": sorted(method_comparison_summary, key=lambda row: (GROUPINGS.index(row["grouping"]), row["group"])),
    }


def methods(rows: Sequence[Row], dispute_ratio: float) -> Markup:
    """Return the chart of counted operations against GPU time, with the band in which they agree shaded."""
    agreed = f"within {times(dispute_ratio)}"
    marks = [
        {"counted": row["operation_count_flop"], "timed": row["gpu_time_flop"], "kind": DISPUTED if row["is_disputed"] else agreed}
        for row in rows
    ]  # fmt: skip
    values = [end for mark in marks for end in (mark["counted"], mark["timed"])]
    ticks = charts.decades(min(values), max(values), 2)
    first, last = ticks[0], ticks[-1]
    corners = [
        {"at": at, "low": max(at / dispute_ratio, first), "high": min(at * dispute_ratio, last)}
        for at in (first, first * dispute_ratio, last / dispute_ratio, last)
    ]
    x = alt.X("timed:Q", title="By GPU time at the default utilization, FLOP", **charts.powers(ticks))
    y = alt.Y("counted:Q", title="By counted operations, FLOP", **charts.powers(ticks))
    ground = alt.Chart(charts.data(corners), width=560, height=560).encode(x=alt.X("at:Q"))
    points = alt.Chart(charts.data(marks)).mark_point(filled=True, size=48, opacity=0.8)
    chart = alt.layer(
        ground.mark_area(color=charts.PAGE.grid).encode(
            y=alt.Y("low:Q", scale=charts.log_scale(first, last)), y2="high:Q"
        ),
        ground.mark_line(color=charts.PAGE.axis, strokeWidth=1).encode(y=alt.Y("at:Q")),
        points.encode(x=x, y=y, **charts.kinds([agreed, DISPUTED])),
    )
    disputed = sum(mark["kind"] == DISPUTED for mark in marks)
    words = f"{disputed} differ by more than {times(dispute_ratio)}"
    return charts.figure(chart, f"Counted operations against GPU time of {len(marks)} models; {words}.")
