"""The compute page: comparison of the two methods, disputes."""

from collections.abc import Sequence

import altair as alt
from markupsafe import Markup

from pipeline.site import charts
from pipeline.site.numbers import times
from pipeline.site.report import Row, whole
from schemas.vocabulary import DISPUTE_CAUSES

MOST_DISPUTES = 100  # the page of disputes has all
GROUPINGS = ("all", "published", "imputed", "domain", "year")  # as the table shows them
GROUPS = {
    "imputed": "an input was imputed",
    "stated": "no input was imputed",
    "ai-and-compute": "AI and Compute's pairs",
}
DISPUTED = "disputed"
TICKS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10]


def page(
    estimates: Sequence[Row], release_counts: Sequence[Row], method_agreement: Sequence[Row],
    method_comparison_summary: Sequence[Row], dispute_cause_counts: Sequence[Row], disputed_models: Sequence[Row],
    dispute_ratio: float,
) -> Row:  # fmt: skip
    """What the page shows, from tables and views that its arguments are named after and the ratio from which on methods disagree."""
    (counts,) = release_counts
    both = [row for row in estimates if row["method_ratio"] is not None]
    by_domain = [row["domain"] for row in method_agreement if row["domain"]]
    return {
        "counts": counts,
        "agreement": whole(method_agreement),
        "largest": max(
            (row for row in estimates if row["training_flop"] is not None and row["base_model"] is None),
            key=lambda row: row["training_flop"],
            default=None,
        ),
        "methods": methods(both, dispute_ratio) if both else None,
        "ratios": ratios(both, by_domain, dispute_ratio) if both else None,
        "apart": times(dispute_ratio),
        "group_words": GROUPS,
        "groups": sorted(method_comparison_summary, key=lambda row: (GROUPINGS.index(row["grouping"]), row["group"])),
        "disputes": disputed_models[:MOST_DISPUTES],
        "causes": dispute_cause_counts,
        "meanings": DISPUTE_CAUSES,
    }


def methods(rows: Sequence[Row], dispute_ratio: float) -> Markup:
    """Counted operations against GPU time, the band of agreement between them shaded."""
    marks = [
        {"counted": row["operation_count_flop"], "timed": row["gpu_time_flop"], "kind": _kind(row, dispute_ratio)}
        for row in rows
    ]
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
        points.encode(x=x, y=y, **charts.kinds([_agreed(dispute_ratio), DISPUTED])),
    )
    return charts.figure(
        chart, f"Counted operations against GPU time of {len(marks)} models; {_disputed(rows, dispute_ratio)}."
    )


def ratios(rows: Sequence[Row], domains: Sequence[str], dispute_ratio: float) -> Markup:
    """The ratio of the methods by domain: one mark a model, the band of agreement shaded."""
    marks = [
        {"ratio": row["method_ratio"], "domain": row["domain"].replace("_", " "), "kind": _kind(row, dispute_ratio)}
        for row in rows
    ]
    values = [mark["ratio"] for mark in marks]
    scale = charts.log_scale(min(0.1, *values) / 1.2, max(10.0, *values) * 1.2)
    axis = alt.Axis(values=TICKS, labelExpr=charts.FACTOR)
    x = alt.X("ratio:Q", title="Counted operations / GPU time (log scale)", scale=scale, axis=axis)
    y = alt.Y("domain:N", title=None, sort=[name.replace("_", " ") for name in domains])
    points = alt.Chart(charts.data(marks)).mark_point(filled=True, size=48, opacity=0.75)
    chart = alt.layer(
        *charts.band(dispute_ratio, {"width": charts.WIDTH, "height": alt.Step(30)}),
        points.encode(x=x, y=y, **charts.kinds([_agreed(dispute_ratio), DISPUTED])),
    )
    return charts.figure(
        chart, f"Ratio of the two methods of {len(marks)} models by domain; {_disputed(rows, dispute_ratio)}."
    )


def _agreed(dispute_ratio: float) -> str:
    return f"within {times(dispute_ratio)}"


def _kind(row: Row, dispute_ratio: float) -> str:
    return DISPUTED if row["is_disputed"] else _agreed(dispute_ratio)


def _disputed(rows: Sequence[Row], dispute_ratio: float) -> str:
    return f"{sum(bool(row['is_disputed']) for row in rows)} differ by more than {times(dispute_ratio)}"
