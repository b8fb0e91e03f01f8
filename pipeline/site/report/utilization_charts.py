"""Charts for the report on utilization: every measured row by family and precision, traits of runs, and batches."""

from collections.abc import Sequence

import altair as alt
from markupsafe import Markup

from pipeline.site import charts
from pipeline.site.report import Row
from pipeline.site.report.words import network
from schemas.vocabulary import Network

BY_ONE, BY_SEVERAL = "one source", "several submitters"
TICKS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 1]
ORDER = ("fp32", "tf32", "fp16", "bf16", "fp8", "fp4", "int8")
VECTOR, FASTER = "vector units (FP32)", "faster precisions"
KINDS = {
    "measured": "measured",
    "stated": "stated by authors",
    "implied": "implied by both methods",
    "gold": "gold runs",
}
TRAITS = {"year": "year", "generation": "generation of chips", "format": "precision", "chips": "number of chips"}


def spread(rows: Sequence[Row], summaries: Sequence[Row], near_ratio: float) -> Markup:
    """Return a chart with one row per family and precision: a tick for each measurement, a bar from the 10th to the 90th percentile, and the default.

    The range within `near_ratio` of the default is shaded.
    """
    by_precision = [row for row in summaries if row["precision"]]
    by_precision.sort(key=lambda row: ([*Network].index(row["network"]), _place(row["precision"]), row["precision"]))
    lines = {
        (row["network"], row["precision"]): {
            "line": f"{network(row['network']).removeprefix('networks of ')}, {row['precision'].upper()} ({row['rows']})",
            "kind": VECTOR if row["precision"] == "fp32" else FASTER,
            "near_low": row["default"] / near_ratio,
            "near_high": row["default"] * near_ratio,
            **{name: row[name] for name in ("p10", "median", "p90", "default")},
        }
        for row in by_precision
    }
    strokes = [
        {"line": line["line"], "utilization": row["measured_utilization_fraction"], "kind": line["kind"]}
        for row in rows
        if (line := lines.get((row["network"], row["precision"])))
    ]
    lowest = min((stroke["utilization"] for stroke in strokes), default=0.01)
    title = "Share of the peak"
    axis = alt.Axis(values=TICKS, format="~g")
    x = alt.X("utilization:Q", title=title, scale=charts.log_scale(min(0.01, lowest), 2), axis=axis)
    in_two = alt.Axis(labelExpr="split(datum.label, ', ')", labelLineHeight=12, labelOffset=-6)
    y = alt.Y("line:N", sort=[line["line"] for line in lines.values()], title=None, axis=in_two)
    color = charts.kinds((VECTOR, FASTER))["color"]
    base = alt.Chart(charts.data([*lines.values()]), width=charts.WIDTH, height=alt.Step(25)).encode(y=y)
    ticks = alt.Chart(charts.data(strokes)).mark_tick(thickness=1, height=13, opacity=0.6)
    diamonds = base.mark_point(
        shape="diamond", size=75, filled=True, opacity=1, stroke=charts.PAGE.paper, strokeWidth=0.8
    )
    chart = alt.layer(
        base.mark_bar(color=charts.PAGE.grid, height=22).encode(x=alt.X("near_low:Q"), x2="near_high:Q"),
        base.mark_tick(color=charts.PAGE.ink, thickness=2, height=22).encode(x=alt.X("default:Q")),
        base.mark_bar(height=5, opacity=0.45).encode(x=alt.X("p10:Q"), x2="p90:Q", color=color),
        ticks.encode(x=x, y=y, color=color),
        diamonds.encode(x=alt.X("median:Q"), color=color),
    )
    words = "; ".join(f"{line['line']}: median {line['median']:.2g} against {line['default']:g}" for line in lines.values())  # fmt: skip
    return charts.figure(
        chart, f"Measured utilization of {len(strokes)} rows by family of networks and precision. {words}."
    )


def _place(precision: str) -> int:
    return ORDER.index(precision) if precision in ORDER else len(ORDER)


def traits(rows: Sequence[Row]) -> Markup:
    """Return one panel per trait of runs, with the median and the middle half of each kind of utilization."""
    marks = [{**row, "kind": KINDS[row["kind"]]} for row in rows]
    axis, kinds = alt.Axis(values=TICKS, format="~g"), charts.kinds([*KINDS.values()])
    lowest = min(0.02, *(mark["p25"] for mark in marks))
    panels = []
    for trait, words in TRAITS.items():
        trait_marks = [mark for mark in marks if mark["trait"] == trait]
        order = list(dict.fromkeys(mark["value"] for mark in trait_marks))
        base = alt.Chart(charts.data(trait_marks), width=charts.WIDTH - 120, height=alt.Step(9)).encode(
            y=alt.Y("value:N", title=words, sort=order, axis=alt.Axis(grid=True)),
            yOffset=alt.YOffset("kind:N", sort=[*KINDS.values()], scale=alt.Scale(domain=[*KINDS.values()])),
            color=kinds["color"],
        )
        x = alt.X("median:Q", title=None, scale=charts.log_scale(lowest, 1), axis=axis)
        bars = base.mark_rule(strokeWidth=2, opacity=0.5).encode(x=alt.X("p25:Q"), x2="p75:Q")
        panels.append(bars + base.mark_point(filled=True, size=40, opacity=1).encode(x=x, shape=kinds["shape"]))
    words = "; ".join(f"{mark['kind']}, {mark['value']}: {mark['median']:.2g} ({mark['number']})" for mark in marks)
    return charts.figure(
        alt.vconcat(*panels), f"Utilization by year, generation of chips, precision and number of chips. {words}."
    )


def batches(pairs: Sequence[Row]) -> Markup:
    """Return a chart of the effect of doubling the batch: a tick for each pair, in one row per source, with MLPerf's row last."""
    marks = [
        {"source": row["measurement_id"], "ratio": row["doubling_ratio"], "kind": BY_ONE if row["is_by_one_source"] else BY_SEVERAL}
        for row in sorted(pairs, key=lambda row: (not row["is_by_one_source"], row["measurement_id"]))
    ]  # fmt: skip
    ratios = [mark["ratio"] for mark in marks]
    axis = alt.Axis(values=[0.25, 0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.4, 2, 4], labelExpr=charts.FACTOR)
    scale = charts.log_scale(min(0.8, *ratios), max(1.25, *ratios))
    chart = (
        alt.Chart(charts.data(marks), width=charts.WIDTH, height=alt.Step(20))
        .mark_tick(thickness=1, height=14, opacity=0.6)
        .encode(
            x=alt.X("ratio:Q", title="Utilization with twice the batch (log scale)", scale=scale, axis=axis),
            y=alt.Y("source:N", title=None, sort=None),
            color=charts.kinds((BY_ONE, BY_SEVERAL))["color"],
        )
    )
    return charts.figure(chart, f"The effect of doubling the batch on utilization in {len(marks)} pairs.")
