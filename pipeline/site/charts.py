"""Charts: one description each, drawn at build as SVG in the site's colours and handed to the browser for the interactive one."""

import html
import math
import re
from collections.abc import Sequence
from statistics import linear_regression
from typing import Any, NamedTuple

import altair as alt
import vl_convert

from pipeline.numbers import written_date
from pipeline.site import numbers
from pipeline.site.ledger import Row
from schemas.vocabulary import THRESHOLDS

VEGA_LITE = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
FONT = "DejaVu Sans"  # by which vl-convert measures text; the page's own font draws it
# Okabe and Ito's palette without its yellow: distinguishable with every kind of colour vision. A group keeps its colour in every chart.
GROUPS = {
    "Language": ("#0072b2", ("language",)),
    "Multimodal": ("#d55e00", ("multimodal",)),
    "Vision": ("#009e73", ("vision",)),
    "Image and video generation": ("#cc79a7", ("image_generation", "video")),
    "Speech": ("#e69f00", ("speech",)),
    "Games and robotics": ("#56b4e9", ("games", "robotics")),
    "Biology and other": ("#6b7280", ("biology", "recommendation", "other")),
}
GROUP_OF = {domain: group for group, (_, domains) in GROUPS.items() for domain in domains}
ROLES = {"#1f2933": "ink", "#5b6673": "soft", "#e3e6ea": "grid", "#9aa3ad": "axis", "#fefefe": "paper"}
INK, SOFT, GRID, AXIS, PAPER = ROLES
COLOURS = {
    **ROLES,
    **{colour: f"group-{number}" for number, (colour, _) in enumerate(GROUPS.values(), 1)},
}  # and their names in site.css
# A tick of an axis from 10 to 10^99, as numbers.power writes it, in Vega's expressions.
_POWER, _DIGITS = "round(log(datum.value) / LN10)", "'⁰¹²³⁴⁵⁶⁷⁸⁹'"
TEN_TO_THE = (
    f"'10' + ({_POWER} < 10 ? '' : slice({_DIGITS}, floor({_POWER} / 10), floor({_POWER} / 10) + 1))"
    f" + slice({_DIGITS}, {_POWER} % 10, {_POWER} % 10 + 1)"
)
FIRST_YEAR = 2010  # of the chart; the table has all
FRONTIER = 10  # a model is at the frontier if it is among this many largest when it is published
LABELLED = 10  # names on the chart
DAYS_A_YEAR = 365.25


class Trend(NamedTuple):
    """Growth of the compute of models at the frontier: months to double, the line's ends, number of models."""

    doubling_months: float
    first: tuple[float, float]
    last: tuple[float, float]
    number: int


def points(models: Sequence[Row]) -> list[Row]:
    """One row a model with an estimate that was not fine-tuned from another: what the chart needs of it, the oldest first."""
    known = [row for row in models if row["training_flop"] is not None and row.get("base_model") is None]
    made = [
        {
            "id": row["model_id"],
            "name": row["name"],
            "organization": row["organization"],
            "group": GROUP_OF.get(row["domain"], "Biology and other"),
            "date": numbers.middle(row["published"]).isoformat(),
            "published": written_date(row["published"]),
            "flop": _rounded(row["training_flop"]),
            "low": _rounded(row["training_flop_low"]),
            "high": _rounded(row["training_flop_high"]),
            "words": f"{numbers.power(row['training_flop'])} FLOP",
            "interval": numbers.interval_text(row["training_flop_low"], row["training_flop_high"]),
            "link": f"models/{row['model_id']}.html",
        }
        for row in known
    ]
    return sorted(made, key=lambda row: (row["date"], row["id"]))


def _rounded(value: float) -> float:
    return float(f"{value:.6g}")


def years(day: str) -> float:
    """A date as years.

    >>> years("2000-01-01")
    2000.0
    """
    year, month, number = map(int, day.split("-"))
    return round(year + ((month - 1) * 30.4375 + number - 1) / DAYS_A_YEAR, 4)


def frontier(rows: Sequence[Row]) -> list[Row]:
    """The rows among the largest of all that were published until then."""
    found, largest = [], []
    for row in rows:
        if len(largest) < FRONTIER or row["flop"] > largest[-1]:
            found.append(row)
            largest = sorted([*largest, row["flop"]], reverse=True)[:FRONTIER]
    return found


def trend(rows: Sequence[Row], first_year: int = FIRST_YEAR) -> Trend | None:
    """A line through the logarithms of models at the frontier from a year on; None where they are fewer than three.

    `rows` begin before that year, since the frontier of its first models is of those before them.
    """
    own = [row for row in frontier(rows) if row["date"] >= f"{first_year}"]
    if len({row["date"] for row in own}) < 3:
        return None
    when = [years(row["date"]) for row in own]
    slope, intercept = linear_regression(when, [math.log(row["flop"]) for row in own])
    ends = [(time, math.exp(intercept + slope * time)) for time in (when[0], when[-1])]
    return Trend(12 * math.log(2) / slope, *ends, len(own))


class Ends(NamedTuple):
    """Of the axes of a chart: years, and FLOP."""

    first_year: float
    last_year: float
    low: float
    high: float


class Letters(NamedTuple):
    """Of names on a chart, in its units: width of a letter, height of a line with its distance, and the left margin where thresholds are named."""

    width: float
    line: float
    margin: float


def leaders(rows: Sequence[Row], ends: Ends, size: tuple[float, float], letters: Letters) -> list[Row]:
    """Models that were the largest when published, the latest first, whose names, left of their marks, cover neither each other nor a mark."""
    width, height = size
    marks = [
        (
            width * (years(row["date"]) - ends.first_year) / (ends.last_year - ends.first_year),
            height * math.log(row["flop"] / ends.low) / math.log(ends.high / ends.low),
        )
        for row in rows
    ]
    found: list[Row] = []
    boxes: list[tuple[float, float, float]] = []  # left, right, height
    for place, row in reversed(list(enumerate(rows))):
        right, level = marks[place]
        left = right - letters.width * len(row["name"]) - 12
        is_largest = all(row["flop"] > other["flop"] for other in rows[:place])
        is_free = all(right < own[0] or left > own[1] or abs(level - own[2]) > letters.line for own in boxes)
        covers = any(left < x < right - 12 and -letters.line / 4 < y - level < letters.line for x, y in marks)
        if is_largest and is_free and left > letters.margin and not covers:
            found.append(row)
            boxes.append((left, right, level))
    return found[:LABELLED]


LETTERS = Letters(6.6, 17, 70)


def overview(rows: Sequence[Row], width: int, height: int, is_narrow: bool = False) -> alt.LayerChart:
    """Training compute over time with 90 % intervals, thresholds, names of the largest and the trend of the frontier.

    Domains, colours and scales do not depend on which rows a reader filters out. Rows that are named have `label`.
    """
    own = [row for row in rows if row["date"] >= f"{FIRST_YEAR}"]
    lowest = min((row["low"] for row in own), default=1e15)
    highest = max((row["high"] for row in own), default=1e26)
    ends = [10.0 ** math.floor(math.log10(lowest)), max(1e27, 10.0 ** math.ceil(math.log10(highest)))]
    last = max((int(row["date"][:4]) for row in own), default=FIRST_YEAR) + 1
    named = {row["id"] for row in leaders(own, Ends(FIRST_YEAR, last, *ends), (width, height), LETTERS)}
    own = [{**row, "label": row["id"] in named} for row in own]
    x = alt.X("date:T", title=None, scale=alt.Scale(domain=[{"year": FIRST_YEAR}, {"year": last}], nice=False),
              axis=alt.Axis(format="%Y", tickCount=5 if is_narrow else "year", grid=False))  # fmt: skip
    steps = [10.0**n for n in range(round(math.log10(ends[0])), round(math.log10(ends[1])) + 1) if n % 2 == 0]
    y = alt.Y("flop:Q", title=None if is_narrow else "Training compute, FLOP", scale=alt.Scale(type="log", domain=ends, nice=False),
              axis=alt.Axis(values=steps, labelExpr=TEN_TO_THE))  # fmt: skip
    color = alt.Color("group:N", scale=alt.Scale(domain=list(GROUPS), range=[color for color, _ in GROUPS.values()]),
                      legend=alt.Legend(title=None, orient="top", columns=2 if is_narrow else 7, symbolOpacity=1, labelLimit=220))  # fmt: skip
    limits = alt.Data(values=[{"flop": each.flop, "words": f"{numbers.power(each.flop)} FLOP"} for each in THRESHOLDS])
    base = alt.Chart(width=width, height=height)
    layers = [
        alt.Chart(limits).mark_rule(strokeDash=[4, 4], color=AXIS).encode(y=y),
        alt.Chart(limits).mark_text(align="left", dx=6, dy=-6, color=SOFT, fontSize=11).encode(y=y, x=alt.value(0), text="words:N"),
    ]  # fmt: skip
    found = trend(rows)
    if found:
        line = alt.Data(values=[{"date": day(when), "flop": flop} for when, flop in (found.first, found.last)])
        layers.append(alt.Chart(line).mark_line(color=SOFT, strokeWidth=1.2).encode(x=x, y=y))
    pointed = alt.selection_point(name="pointed", on="pointerover", fields=["id"], empty=False)
    chosen = alt.selection_point(name="chosen", fields=["group"], bind="legend")
    words = [alt.Tooltip(f"{name}:N", title=title) for name, title in
             (("name", "Model"), ("organization", "Organization"), ("published", "Published"), ("words", "Training compute"), ("interval", "90 % interval"))]  # fmt: skip
    layers += [
        base.mark_rule().encode(
            x=x, y=alt.Y("low:Q"), y2="high:Q", color=color,
            opacity=alt.when(pointed).then(alt.value(1)).when(chosen).then(alt.value(0.3)).otherwise(alt.value(0.05)),
            strokeWidth=alt.when(pointed).then(alt.value(3)).otherwise(alt.value(1.4)),
        ),
        base.mark_point(filled=True, size=22 if is_narrow else 34, stroke=PAPER, strokeWidth=0.5).encode(
            x=x, y=y, color=color, tooltip=words, opacity=alt.when(chosen).then(alt.value(0.9)).otherwise(alt.value(0.1))
        ).add_params(pointed, chosen),
    ]  # fmt: skip
    if not is_narrow:
        layers.append(
            base.transform_filter("datum.label").mark_text(align="right", dx=-7, dy=-3, fontSize=11, color=INK).encode(x=x, y=y, text="name:N")
        )  # fmt: skip
    return alt.layer(*layers, data=alt.Data(values=own))


def day(when: float) -> str:
    """The middle of the month of a time in years."""
    month = min(12, 1 + int((when % 1) * 12))
    return f"{int(when)}-{month:02d}-15"


def configured(chart: alt.LayerChart | alt.Chart) -> dict[str, Any]:
    """The chart as Vega-Lite, in the site's colours and font."""
    whole = chart.configure(aria=False, font=FONT, background="transparent", padding=4).configure_view(stroke=None)
    whole = whole.configure_axis(
        labelColor=SOFT, titleColor=SOFT, gridColor=GRID, domainColor=AXIS, tickColor=AXIS,
        labelFontSize=12, titleFontSize=12, titleFontWeight="normal", labelLimit=320,
    ).configure_legend(labelFontSize=12, labelColor=INK, symbolSize=60)  # fmt: skip
    return whole.to_dict(validate=False)


def svg(chart: alt.LayerChart | alt.Chart, words: str) -> str:
    """The chart as inline SVG whose colours follow the page's; `words` is its text alternative."""
    drawn = vl_convert.vegalite_to_svg(configured(chart), vl_version=VEGA_LITE)
    for colour, name in COLOURS.items():
        drawn = drawn.replace(f'"{colour}"', f'"var(--{name})"')
    drawn = shortened(drawn)
    drawn = without_roles(drawn.replace(f'font-family="{FONT}"', ""))
    return drawn.replace("<svg ", f'<svg role="img" aria-label="{html.escape(words, quote=True)}" ', 1)


def without_roles(svg: str) -> str:
    """The SVG without the roles of its parts, which have no words of their own: the whole has them.

    >>> without_roles('<g role="graphics-symbol" aria-roledescription="rule mark container" x="1">')
    '<g x="1">'
    """
    return re.sub(r' (?:role="graphics-[a-z]+"|aria-roledescription="[^"]*")', "", svg)


def shortened(svg: str) -> str:
    """The SVG with coordinates to a hundredth of a pixel.

    >>> shortened('<g transform="translate(158.8081816,16)" opacity="0.35">')
    '<g transform="translate(158.81,16)" opacity="0.35">'
    """
    return re.sub(r"-?\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), svg)
