"""The compute page: training compute over time, comparison of the two methods, disputes."""

from collections import Counter
from collections.abc import Sequence
from datetime import date
from statistics import median

import altair as alt

from pipeline.site.numbers import times
from pipeline.site.report import Row, charts
from schemas.vocabulary import DISPUTE_CAUSES, DisputeCause

MOST_DISPUTES = 100  # the page of disputes has all
GROUPINGS = ("all", "published", "imputed", "domain", "year")  # as the table shows them
GROUPS = {
    "imputed": "an input was imputed",
    "stated": "no input was imputed",
    "ai-and-compute": "AI and Compute's pairs",
}
MOST_DOMAINS = 6
REST = "other domains"
DEEP_LEARNING = 2012  # year from which on most models are; a second chart of these alone makes their intervals visible
DISPUTED = "disputed"


def page(
    estimates: Sequence[Row],
    method_comparison_summary: Sequence[Row],
    models: Sequence[Row],
    sentences: Sequence[Row],
    dispute_ratio: float,
) -> Row:
    """What the page shows, from rows of the tables that its arguments are named after and the ratio from which on methods disagree."""
    both = [row for row in estimates if row["method_ratio"] is not None]
    disputes = sorted((row for row in both if row["is_disputed"]), key=lambda row: (row["method_ratio"], row["model_id"]))  # fmt: skip
    known = [row for row in estimates if row["training_flop"] is not None]
    # A fine-tuned model's total is mostly its base model's, which is shown already: it would look like a second training run.
    tuned = {row["model_id"] for row in models if row["base_model"] is not None}
    trained = [row for row in known if row["model_id"] not in tuned]
    recent = [row for row in trained if year(row["published_date"]) >= DEEP_LEARNING]
    shown = domains(trained)  # the same colours in both charts
    return {
        "numbers": agreement(estimates),
        "models": len(estimates),
        "known": len(known),
        "tuned": len(known) - len(trained),
        "largest": max(trained, key=lambda row: (row["training_flop"], row["model_id"]), default=None),
        "whole": over_time(trained, shown, 300) if trained else None,
        "recent": over_time(recent, shown, 520) if 0 < len(recent) < len(trained) else None,
        "since": DEEP_LEARNING,
        "methods": methods(both, dispute_ratio) if both else None,
        "ratios": ratios(both, dispute_ratio) if both else None,
        "apart": times(dispute_ratio),
        "groups": [
            {**row, "words": GROUPS.get(row["group"], row["group"].replace("_", " "))}
            for row in sorted(method_comparison_summary, key=lambda row: (GROUPINGS.index(row["grouping"]), row["group"]))
        ],
        "sentences": {row["model_id"]: row for row in sentences},
        "disputes": disputes[:MOST_DISPUTES],
        "disputed": len(disputes),
        "causes": [
            {"cause": cause, "meaning": DISPUTE_CAUSES[DisputeCause(cause)].meaning, "number": number}
            for cause, number in sorted(Counter(row["dispute_cause"] for row in disputes).items(), key=lambda each: (each[0] == "unexplained", -each[1], each[0]))
        ],
    }  # fmt: skip


def agreement(estimates: Sequence[Row]) -> Row:
    """How many models have both methods, how many of them agree, and the median of the ratio."""
    both = [row for row in estimates if row["method_ratio"] is not None]
    return {
        "both": len(both),
        "agree": sum(not row["is_disputed"] for row in both),
        "median": median(row["method_ratio"] for row in both) if both else None,
        "below": sum(row["is_disputed"] and row["method_ratio"] < 1 for row in both),
        "above": sum(row["is_disputed"] and row["method_ratio"] > 1 for row in both),
    }


def year(middle: date) -> float:
    """A day as a year with a fraction.

    >>> year(date(1958, 7, 2)), year(date(2012, 7, 16)), year(date(2012, 12, 31)) < 2013
    (1958.5, 2012.5396, True)
    """
    first, following = date(middle.year, 1, 1), date(middle.year + 1, 1, 1)
    return round(middle.year + ((middle - first).days + 0.5) / (following - first).days, 4)


def domains(rows: Sequence[Row]) -> list[str]:
    """The domains with most models, in descending order; when there are more than fit into a legend, the rest are one group."""
    counted = Counter(row["domain"] for row in rows)
    ranked = [name for name, _ in sorted(counted.items(), key=lambda each: (-each[1], each[0]))]
    return ranked if len(ranked) <= MOST_DOMAINS + 1 else [*ranked[:MOST_DOMAINS], REST]


def over_time(rows: Sequence[Row], shown: Sequence[str], height: int) -> str:
    """Training compute by date, each with its 90 % interval, on a log scale."""
    marks = [
        {"year": year(row["published_date"]), "middle": row["training_flop"], "low": row["training_flop_low"], "high": row["training_flop_high"],
         "kind": (row["domain"] if row["domain"] in shown else REST).replace("_", " ")}
        for row in rows
    ]  # fmt: skip
    ticks = charts.decades(min(mark["low"] for mark in marks), max(mark["high"] for mark in marks))
    first, last = min(mark["year"] for mark in marks), max(mark["year"] for mark in marks)
    base = alt.Chart(charts.data(marks), width=charts.WIDTH + 160, height=height).encode(
        x=alt.X("year:Q", title="date of publication", axis=alt.Axis(format="d"), scale=alt.Scale(zero=False, nice=False, domain=[int(first) - 1, int(last) + 2])),
    )  # fmt: skip
    kinds = charts.legend([name.replace("_", " ") for name in shown])
    drawn = alt.layer(
        base.mark_rule(strokeWidth=1.4, opacity=0.45).encode(y=charts.log_y("low", "training compute, FLOP", ticks), y2="high:Q", color=kinds["color"]),
        base.mark_point(filled=True, size=42, opacity=0.9).encode(y=alt.Y("middle:Q"), **kinds),
    )  # fmt: skip
    return charts.drawn(
        drawn,
        f"Training compute of {len(marks)} models by date of publication from {int(first)} to {int(last)}, each with its 90 %"
        f" interval: from {min(mark['middle'] for mark in marks):.0e} to {max(mark['middle'] for mark in marks):.0e} FLOP.",
    )


def methods(rows: Sequence[Row], dispute_ratio: float) -> str:
    """Counted operations against GPU time, the band of agreement between them shaded."""
    marks = [
        {"counted": row["operation_count_flop"], "timed": row["gpu_time_flop"], "kind": _kind(row, dispute_ratio)}
        for row in rows
    ]
    ends = [end for mark in marks for end in (mark["counted"], mark["timed"])]
    ticks = charts.decades(min(ends), max(ends), 2)
    limits = (ticks[0], ticks[-1])
    corners = (limits[0], limits[0] * dispute_ratio, limits[1] / dispute_ratio, limits[1])
    band = [
        {"at": at, "low": max(at / dispute_ratio, limits[0]), "high": min(at * dispute_ratio, limits[1])}
        for at in corners
    ]
    x = charts.log_x("timed", "by GPU time at the default utilization, FLOP", ticks)
    y = charts.log_y("counted", "by counted operations, FLOP", ticks)
    ground = alt.Chart(charts.data(band), width=560, height=560)
    drawn = alt.layer(
        ground.mark_area(color=charts.PALE).encode(x=alt.X("at:Q"), y=alt.Y("low:Q", scale=alt.Scale(type="log", domain=list(limits))), y2="high:Q"),
        ground.mark_line(color=charts.GREY, strokeWidth=1).encode(x=alt.X("at:Q"), y=alt.Y("at:Q")),
        alt.Chart(charts.data(marks)).mark_point(filled=True, size=48, opacity=0.8).encode(x=x, y=y, **charts.legend([_agreed(dispute_ratio), DISPUTED])),
    )  # fmt: skip
    return charts.drawn(
        drawn, f"Counted operations against GPU time of {len(marks)} models; {_disputed(rows, dispute_ratio)}."
    )


def ratios(rows: Sequence[Row], dispute_ratio: float) -> str:
    """The ratio of the methods by domain: one mark a model, the band of agreement shaded."""
    order = [
        name for name, _ in sorted(Counter(row["domain"] for row in rows).items(), key=lambda each: (-each[1], each[0]))
    ]
    marks = [
        {"ratio": row["method_ratio"], "domain": row["domain"].replace("_", " "), "kind": _kind(row, dispute_ratio)}
        for row in rows
    ]
    found = [mark["ratio"] for mark in marks]
    domain = [min(0.1, *found) / 1.2, max(10.0, *found) * 1.2]
    band = [{"low": 1 / dispute_ratio, "high": dispute_ratio, "one": 1}]
    ground = alt.Chart(charts.data(band), width=charts.WIDTH, height=alt.Step(30))
    x = alt.X("ratio:Q", title="counted operations / GPU time (log scale)", scale=alt.Scale(type="log", domain=domain, nice=False),
              axis=alt.Axis(values=[0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10], labelExpr="'×' + format(datum.value, '~g')"))  # fmt: skip
    drawn = alt.layer(
        ground.mark_rect(color=charts.PALE).encode(x=alt.X("low:Q"), x2="high:Q"),
        ground.mark_rule(color=charts.GREY).encode(x=alt.X("one:Q")),
        alt.Chart(charts.data(marks)).mark_point(filled=True, size=48, opacity=0.75).encode(
            x=x, y=alt.Y("domain:N", title=None, sort=[name.replace("_", " ") for name in order]), **charts.legend([_agreed(dispute_ratio), DISPUTED])),
    )  # fmt: skip
    return charts.drawn(
        drawn,
        f"Ratio of the two methods of {len(marks)} models by domain, median {median(found):.2f}; {_disputed(rows, dispute_ratio)}.",
    )


def _agreed(dispute_ratio: float) -> str:
    return f"within {times(dispute_ratio)}"


def _kind(row: Row, dispute_ratio: float) -> str:
    return DISPUTED if row["is_disputed"] else _agreed(dispute_ratio)


def _disputed(rows: Sequence[Row], dispute_ratio: float) -> str:
    return f"{sum(bool(row['is_disputed']) for row in rows)} differ by more than {times(dispute_ratio)}"
