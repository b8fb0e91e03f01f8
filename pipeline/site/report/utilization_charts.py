"""Charts of the utilization page: every measured row by family and precision, the errors of the back-test, the P100 study."""

from collections.abc import Sequence

import altair as alt
from markupsafe import Markup

from pipeline.site import charts
from pipeline.site.report import Row
from pipeline.site.report.words import network
from schemas.vocabulary import Network

BY_ONE, BY_SEVERAL = "one source", "several submitters, other software"
TICKS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 1]
ORDER = ("fp32", "tf32", "fp16", "bf16", "fp8", "fp4", "int8")
VECTOR, FASTER = "vector units (FP32)", "faster formats"
DEFAULT, PREDICTED = "the default", "calibrated median"
KINDS = {
    "measured": "measured",
    "stated": "stated by authors",
    "implied": "implied by both methods",
    "gold": "gold runs",
}
TRAITS = {"year": "year", "generation": "generation of chips", "format": "number format", "chips": "chips"}
STUDIED = {
    "theory": "study: theory",
    "one": "study: profiler, one example",
    "batch": "study: profiler, batch",
    "epoch": "study: profiler, epoch",
    "measured_full": "measured, FP32",
    "measured_fast": "measured, 16-bit or TF32",
}


def spread(rows: Sequence[Row], summaries: Sequence[Row], near_ratio: float) -> Markup:
    """A line for each family and precision: a stroke for each row, a bar from the 10 % to the 90 % point, the default and the range near it."""
    shown = [row for row in summaries if row["precision"]]
    shown.sort(key=lambda row: ([*Network].index(row["network"]), _place(row["precision"]), row["precision"]))
    lines = {
        (row["network"], row["precision"]): {
            "line": f"{network(row['network']).removeprefix('networks of ')}, {row['precision'].upper()} ({row['rows']})",
            "kind": VECTOR if row["precision"] == "fp32" else FASTER,
            "near_low": row["default"] / near_ratio,
            "near_high": row["default"] * near_ratio,
            **{name: row[name] for name in ("p10", "median", "p90", "default")},
        }
        for row in shown
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


def errors(tested: Sequence[Row]) -> Markup:
    """For each family the median error of the default and of the calibrated median, joined by a line."""
    rows = [{"family": network(row["network"]), **row} for row in tested]
    marks = [
        {"family": row["family"], "kind": kind, "factor": row[column]}
        for row in rows
        for kind, column in ((DEFAULT, "default_ratio"), (PREDICTED, "middle_ratio"))
    ]
    highest = max(2.5, 1.1 * max(mark["factor"] for mark in marks))
    axis = alt.Axis(values=[1, 1.25, 1.5, 2, 3, 5, 10, 20, 50], labelExpr=charts.FACTOR)
    x = alt.X("factor:Q", title="Median error, a factor (log scale)", scale=charts.log_scale(1, highest), axis=axis)
    y = alt.Y("family:N", sort=None, title=None)
    lines = alt.Chart(charts.data(rows), width=charts.WIDTH, height=alt.Step(26)).mark_rule(color=charts.PAGE.axis)
    points = alt.Chart(charts.data(marks)).mark_point(filled=True, size=90, opacity=1)
    chart = alt.layer(
        lines.encode(x=alt.X("default_ratio:Q"), x2="middle_ratio:Q", y=y),
        points.encode(x=x, y=y, **charts.kinds((DEFAULT, PREDICTED))),
    )
    words = "; ".join(
        f"{row['family']}: ×{row['default_ratio']:.2f} by the default, ×{row['middle_ratio']:.2f} calibrated"
        for row in rows
    )
    return charts.figure(chart, f"Median error of the predicted utilization, each source left out. {words}.")


def traits(rows: Sequence[Row]) -> Markup:
    """For each year, generation, format and number of chips the middle and the middle half of each kind of utilization."""
    marks = [{**row, "kind": KINDS[row["kind"]]} for row in rows]
    axis, kinds = alt.Axis(values=TICKS, format="~g"), charts.kinds([*KINDS.values()])
    lowest = min(0.02, *(mark["p25"] for mark in marks))
    panels = []
    for trait, words in TRAITS.items():
        own = [mark for mark in marks if mark["trait"] == trait]
        order = list(dict.fromkeys(mark["value"] for mark in own))
        base = alt.Chart(charts.data(own), width=charts.WIDTH - 120, height=alt.Step(9)).encode(
            y=alt.Y("value:N", title=words, sort=order, axis=alt.Axis(grid=True)),
            yOffset=alt.YOffset("kind:N", sort=[*KINDS.values()], scale=alt.Scale(domain=[*KINDS.values()])),
            color=kinds["color"],
        )
        x = alt.X("median:Q", title=None, scale=charts.log_scale(lowest, 1), axis=axis)
        bars = base.mark_rule(strokeWidth=2, opacity=0.5).encode(x=alt.X("p25:Q"), x2="p75:Q")
        panels.append(bars + base.mark_point(filled=True, size=40, opacity=1).encode(x=x, shape=kinds["shape"]))
    words = "; ".join(f"{mark['kind']}, {mark['value']}: {mark['median']:.2g} ({mark['number']})" for mark in marks)
    return charts.inline(
        alt.vconcat(*panels), f"Utilization by year, generation of chips, number format and chips. {words}."
    )


def study(networks: Sequence[Row], values: Sequence[Row]) -> Markup:
    """For each network of the P100 study its four ways to count and time, and below them the measured utilizations."""
    marks = [
        {"network": row["network"], "kind": STUDIED[row["kind"]], "utilization": row["utilization_fraction"],
         "side": "ours" if row["kind"].startswith("measured") else "study"}
        for row in values
    ]  # fmt: skip
    kinds = [words for words in STUDIED.values() if any(mark["kind"] == words for mark in marks)]
    ways = len({mark["kind"] for mark in marks if mark["side"] == "study"})
    order = [row["network"] for row in sorted(networks, key=lambda row: (-row["highest"], row["network"]))]
    axis = alt.Axis(values=[0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1], format="~g")
    title = "Utilization, share of the peak (log scale)"
    sides = alt.Scale(domain=["study", "ours"])
    chart = (
        alt.Chart(charts.data(marks), width=charts.WIDTH, height=alt.Step(17))
        .mark_point(filled=False, size=45, strokeWidth=1.6, opacity=0.9)
        .encode(
            x=alt.X("utilization:Q", title=title, scale=charts.log_scale(0.01, 1.6), axis=axis),
            y=alt.Y("network:N", title=None, sort=order, axis=alt.Axis(grid=True)),
            yOffset=alt.YOffset("side:N", sort=["study", "ours"], scale=sides),
            **charts.kinds(kinds),
        )
    )
    return charts.figure(
        chart,
        f"Utilization of {len(order)} networks stated by the P100 study in {ways} ways of counting and timing, and from"
        f" {sum(mark['side'] == 'ours' for mark in marks)} public throughputs of the same networks.",
    )


def batches(pairs: Sequence[Row]) -> Markup:
    """Return a stroke for each pair at what a doubling of its batch does, a line per source; MLPerf, of several, is the last."""
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
    return charts.figure(chart, f"What a doubling of the batch does to utilization in {len(marks)} pairs.")
