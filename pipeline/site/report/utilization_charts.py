"""Charts of the utilization page: every measured row by family and precision, and the errors of the back-test."""

from collections.abc import Sequence
from statistics import median, quantiles

import altair as alt

from pipeline.site.numbers import times
from pipeline.site.report import Row, charts
from pipeline.site.report.utilization_facts import FAMILIES, FULL_PRECISION

TICKS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 1]
ORDER = ("fp32", "tf32", "fp16", "bf16", "fp8", "fp4", "int8")


def spread(rows: Sequence[Row], near_ratio: float) -> str:
    """A line for each family and precision: a stroke for each row, a bar from the 10 % to the 90 % point, the default and the range near it."""
    groups = [
        (f"{FAMILIES[family]}, {precision.upper()}", precision, own)
        for family in FAMILIES
        for precision in (*ORDER, *sorted({row["precision"] for row in rows} - {*ORDER}))
        if (own := [row for row in rows if (row["network"], row["precision"]) == (family, precision)])
    ]
    lines = [_line(name, precision, own, near_ratio) for name, precision, own in groups]
    strokes = [
        {"line": line["line"], "found": row["measured_utilization_fraction"], "kind": line["kind"]}
        for line, (_, _, own) in zip(lines, groups, strict=True)
        for row in own
    ]
    lowest = min((stroke["found"] for stroke in strokes), default=0.01)
    x = alt.X("found:Q", title=f"measured utilization, share of the peak (log scale); grey band: within {times(near_ratio)} of the default",
              scale=alt.Scale(type="log", domain=[min(0.01, lowest), 2], nice=False), axis=alt.Axis(values=TICKS, format="~g"))  # fmt: skip
    y = alt.Y("line:N", sort=None, title=None)
    kinds = sorted({line["kind"] for line in lines}, reverse=True)
    color = alt.Color("kind:N", sort=kinds, scale=alt.Scale(domain=["vector units (FP32)", "faster formats"], range=[charts.BLUE, charts.VERMILION]),
                      legend=alt.Legend(title=None, orient="top", symbolOpacity=1))  # fmt: skip
    base = alt.Chart(charts.data(lines), width=charts.WIDTH, height=alt.Step(25))
    drawn = alt.layer(
        base.mark_bar(color=charts.PALE, height=22).encode(x=alt.X("near_low:Q"), x2="near_high:Q", y=y),
        base.mark_tick(color=charts.BLACK, thickness=2, height=22).encode(x=alt.X("default:Q"), y=y),
        base.mark_bar(height=5, opacity=0.45).encode(x=alt.X("low:Q"), x2="high:Q", y=y, color=color),
        alt.Chart(charts.data(strokes)).mark_tick(thickness=1, height=13, opacity=0.6).encode(x=x, y=y, color=color),
        base.mark_point(shape="diamond", size=75, filled=True, opacity=1, stroke="white", strokeWidth=0.8).encode(x=alt.X("middle:Q"), y=y, color=color),
    )  # fmt: skip
    words = "; ".join(f"{line['line']}: median {line['middle']:.2g} against {line['default']:g}" for line in lines)
    return charts.drawn(
        drawn, f"Measured utilization of {len(strokes)} rows by family of networks and precision. {words}."
    )


def _line(name: str, precision: str, rows: Sequence[Row], near_ratio: float) -> Row:
    found = [row["measured_utilization_fraction"] for row in rows]
    tenths = quantiles(found, n=10, method="inclusive") if len(found) > 1 else found * 9
    default = rows[0]["default_utilization_fraction"]
    return {
        "line": f"{name} ({len(rows)})",
        "kind": "vector units (FP32)" if precision == FULL_PRECISION else "faster formats",
        "low": tenths[0],
        "middle": median(found),
        "high": tenths[8],
        "default": default,
        "near_low": default / near_ratio,
        "near_high": default * near_ratio,
    }


def errors(tested: Sequence[Row]) -> str:
    """For each family the median error of the default and of the calibrated median, joined by a line."""
    kinds = ("the default", "calibrated median")
    marks = [
        {"family": row["family"], "kind": kind, "factor": row[column]}
        for row in tested
        for kind, column in zip(kinds, ("default_factor", "middle_factor"), strict=True)
    ]
    highest = max((mark["factor"] for mark in marks), default=2)
    x = alt.X("factor:Q", title="median error, a factor (log scale)",
              scale=alt.Scale(type="log", domain=[1, max(2.5, highest * 1.1)], nice=False),
              axis=alt.Axis(values=[1, 1.25, 1.5, 2, 3, 5, 10, 20, 50], labelExpr="'×' + format(datum.value, '~g')"))  # fmt: skip
    y = alt.Y("family:N", sort=None, title=None)
    joined = [{"family": row["family"], "from": row["default_factor"], "to": row["middle_factor"]} for row in tested]
    drawn = alt.layer(
        alt.Chart(charts.data(joined), width=charts.WIDTH, height=alt.Step(26)).mark_rule(color=charts.GREY).encode(x=alt.X("from:Q"), x2="to:Q", y=y),
        alt.Chart(charts.data(marks)).mark_point(filled=True, size=90, opacity=1).encode(x=x, y=y, **charts.legend(kinds)),
    )  # fmt: skip
    words = "; ".join(
        f"{row['family']}: ×{row['default_factor']:.2f} by the default, ×{row['middle_factor']:.2f} calibrated"
        for row in tested
    )
    return charts.drawn(drawn, f"Median error of the predicted utilization, each source left out. {words}.")
