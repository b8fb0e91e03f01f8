"""The charts of reports, by the name that reports.yml gives. Each returns None if there is nothing to draw."""

import math
from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import Any

import altair as alt
from markupsafe import Markup

from pipeline.site import charts
from pipeline.site.numbers import times
from pipeline.site.report import words
from pipeline.site.report.words import generation, network
from schemas.vocabulary import Network

Row = dict[str, Any]
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


RATIO_TICKS = [0.001, 0.01, 0.1, 0.2, 0.5, 1, 2, 5, 10, 100, 1000, 10000]
INSIDE, OUTSIDE = "in its 90 % interval", "outside"
DISPUTED = "disputed"


def methods(estimates: Sequence[Row], dispute_ratio: float) -> Markup | None:
    """Return the chart of counted operations against GPU time, with the band in which they agree shaded."""
    rows = [row for row in estimates if row["method_ratio"] is not None]
    if not rows:
        return None
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
    description = f"{disputed} differ by more than {times(dispute_ratio)}"
    return charts.figure(chart, f"Counted operations against GPU time of {len(marks)} models; {description}.")


def spread(measured_rows: Sequence[Row], measured_summaries: Sequence[Row], near_ratio: float) -> Markup | None:
    """Return a chart of a row per family and precision: a tick per measurement, a bar of the middle 80 %, the default.

    The range within `near_ratio` of the default is shaded.
    """
    if not measured_rows:
        return None
    by_precision = [row for row in measured_summaries if row["precision"]]
    by_precision.sort(
        key=lambda row: (
            [*Network].index(row["network"]),
            (*ORDER, row["precision"]).index(row["precision"]),
            row["precision"],
        )
    )
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
        for row in measured_rows
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
    description = "; ".join(f"{line['line']}: median {line['median']:.2g} against {line['default']:g}" for line in lines.values())  # fmt: skip
    return charts.figure(
        chart, f"Measured utilization of {len(strokes)} rows by family of networks and precision. {description}."
    )


def traits(utilization_traits: Sequence[Row]) -> Markup | None:
    """Return one panel per trait of runs, with the median and the middle half of each kind of utilization."""
    if not utilization_traits:
        return None
    marks = [
        {**row, "kind": KINDS[row["kind"]]}
        | ({"value": generation(row["value"])} if row["trait"] == "generation" else {})
        for row in utilization_traits
    ]
    axis, kinds = alt.Axis(values=TICKS, format="~g"), charts.kinds([*KINDS.values()])
    lowest = min(0.02, *(mark["p25"] for mark in marks))
    panels = []
    for trait, title in TRAITS.items():
        trait_marks = [mark for mark in marks if mark["trait"] == trait]
        order = list(dict.fromkeys(mark["value"] for mark in trait_marks))
        base = alt.Chart(charts.data(trait_marks), width=charts.WIDTH - 120, height=alt.Step(9)).encode(
            y=alt.Y("value:N", title=title, sort=order, axis=alt.Axis(grid=True)),
            yOffset=alt.YOffset("kind:N", sort=[*KINDS.values()], scale=alt.Scale(domain=[*KINDS.values()])),
            color=kinds["color"],
        )
        x = alt.X("median:Q", title=None, scale=charts.log_scale(lowest, 1), axis=axis)
        bars = base.mark_rule(strokeWidth=2, opacity=0.5).encode(x=alt.X("p25:Q"), x2="p75:Q")
        panels.append(bars + base.mark_point(filled=True, size=40, opacity=1).encode(x=x, shape=kinds["shape"]))
    description = "; ".join(
        f"{mark['kind']}, {mark['value']}: {mark['median']:.2g} ({mark['number']})" for mark in marks
    )
    return charts.figure(
        alt.vconcat(*panels), f"Utilization by year, generation of chips, precision and number of chips. {description}."
    )


def batches(batch_pairs: Sequence[Row]) -> Markup | None:
    """Return a chart of the effect of doubling the batch: a tick per pair, a row per source, with MLPerf's last."""
    if not batch_pairs:
        return None
    marks = [
        {"source": row["measurement_id"], "ratio": row["doubling_ratio"], "kind": BY_ONE if row["is_by_one_source"] else BY_SEVERAL}
        for row in sorted(batch_pairs, key=lambda row: (not row["is_by_one_source"], row["measurement_id"]))
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


def strips(hidden_facts: Sequence[Row], hidden_fact_groups: Sequence[Row], near_ratio: float) -> Markup | None:
    """Return a chart with a row per quantity and rule: a tick per error, in or out of its interval, and the median."""
    chart_rows = [row for row in hidden_fact_groups if row["shown_as"] == "input"]
    if not chart_rows:
        return None
    lines = {
        (row["quantity"], row["rule"]): (
            f"{words.hidden_fact(row['quantity'])}: {words.rule(row['quantity'], row['rule'])} ({row['facts']})"
        )
        for row in chart_rows
    }
    shown = [row for row in hidden_facts if row["shown_as"] == "input"]
    alike = {  # within 5 %, so that their marks overlap
        (row["quantity"], row["rule"], row["is_in_interval"], round(20 * math.log(row["error_ratio"]))): row
        for row in shown
    }
    strokes = [
        {
            "line": lines[row["quantity"], row["rule"]],
            "factor": row["error_ratio"],
            "kind": INSIDE if row["is_in_interval"] else OUTSIDE,
        }
        for row in alike.values()
    ]
    middles = [{"line": lines[row["quantity"], row["rule"]], "middle": row["median_ratio"]} for row in chart_rows]
    kinds = charts.kinds((INSIDE, OUTSIDE), ("stroke", "circle"))
    x = alt.X(
        "factor:Q",
        title="imputed / known (log scale)",
        **charts.factors([stroke["factor"] for stroke in strokes], RATIO_TICKS),
    )
    y = alt.Y("line:N", sort=[*lines.values()], title=None)
    points = alt.Chart(charts.data(strokes)).mark_point(size=70, strokeWidth=1.4, opacity=0.65, angle=90)
    diamonds = alt.Chart(charts.data(middles)).mark_point(
        shape="diamond", size=70, filled=True, opacity=1, color=charts.PAGE.ink, stroke=charts.PAGE.paper, strokeWidth=0.8
    )  # fmt: skip
    chart = alt.layer(
        *charts.band(near_ratio, {"width": charts.WIDTH - 60, "height": alt.Step(24)}),
        points.encode(x=x, y=y, **kinds),
        diamonds.encode(x=alt.X("middle:Q"), y=y),
    )
    held = "; ".join(f"{lines[row['quantity'], row['rule']]}: {row['held']} in the interval" for row in chart_rows)
    return charts.figure(chart, f"Errors of {len(shown)} facts hidden and imputed. {held}.")


def coverage(accuracy: Row) -> Markup | None:
    """Return the chart of coverage: the share of values inside our intervals by nominal share, one line per file."""
    if not accuracy["files"]:
        return None
    marks = accuracy["marks"]
    at_90 = {mark["kind"]: mark["inside"] for mark in marks if mark["promised"] == 0.9}
    names = list(dict.fromkeys(mark["kind"] for mark in marks))
    axis = alt.Axis(values=[0, 0.2, 0.4, 0.6, 0.8, 1], format="%")
    scale = alt.Scale(domain=[0, 1], nice=False)
    x = alt.X("promised:Q", title="Nominal share", scale=scale, axis=axis)
    y = alt.Y("inside:Q", title="Share inside", scale=scale, axis=axis)
    kinds = charts.kinds(names)
    diagonal = alt.Chart(charts.data([{"promised": end, "inside": end} for end in (0, 1)]))
    base = alt.Chart(charts.data(marks), width=440, height=440).encode(x=x, y=y)
    chart = alt.layer(
        diagonal.mark_line(color=charts.PAGE.axis, strokeWidth=1).encode(x=x, y=y),
        base.mark_line(strokeWidth=1.4, opacity=0.6).encode(color=kinds["color"]),
        base.mark_point(filled=True, size=48, opacity=1).encode(**kinds),
    )
    description = "; ".join(f"{name}: {at_90[name]:.0%} in the 90 % interval" for name in names)
    return charts.figure(chart, f"Share of values inside intervals against the nominal share. {description}.")


ALL = {chart.__name__: chart for chart in (methods, spread, traits, batches, strips, coverage)}


def draw(name: str, rows: Callable[[str], Sequence[Row]], values: Mapping[str, Any]) -> Markup | None:
    """Return a chart of ALL. Each argument names one of `values`, or a table or view whose rows `rows` returns."""
    chart: Callable[..., Markup | None] = ALL[name]
    return chart(**{key: values[key] if key in values else rows(key) for key in signature(chart).parameters})
