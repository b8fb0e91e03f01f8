"""The theme of all charts: colours, font, axes and legends.

On a page, a chart takes its colours from the page's CSS variables, so it follows light and dark mode.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import altair as alt
import vl_convert
from markupsafe import Markup

from pipeline.site import numbers
from schemas.vocabulary import THRESHOLDS

VEGA_LITE = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
FONT = "Source Sans 3"  # downloaded by packing.py; without it, charts use an installed font
FONTS = f"'{FONT}', system-ui, 'DejaVu Sans', sans-serif"
WIDTH, NARROW = 740, 354  # widths in pixels: a chart in a report, and the same chart on a phone
ARROW = "M0-1.5L1.3.2H.6V1.4H-.6V.2H-1.3Z"  # broad enough to be seen as hollow
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", ARROW, "circle")
INLINE = Markup('<div role="img" aria-label="{}"><div aria-hidden="true">{}</div></div>')
WIDTHS = Markup('<div class="wide-only">{}</div><div class="narrow">{}</div>')


class Colours(NamedTuple):
    """A chart's colours. A group of models has the same colour in every chart."""

    ink: str
    soft: str
    grid: str
    axis: str
    paper: str
    groups: Sequence[str]


# CSS variables from assets/site.css.
PAGE = Colours(
    *(f"var(--{name})" for name in Colours._fields[:-1]), [f"var(--group-{number})" for number in range(1, 8)]
)
# Okabe and Ito's palette without yellow: distinguishable with every kind of colour vision deficiency.
PICTURE = Colours(
    "#1f2933", "#5b6673", "#e3e6ea", "#9aa3ad", "#fefefe",
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6b7280"],
)  # fmt: skip
BLUE = PAGE.groups[0]
# A Vega expression that labels ticks from 10 to 10^99 as numbers.power does.
_POWER, _DIGITS = "round(log(datum.value) / LN10)", "'⁰¹²³⁴⁵⁶⁷⁸⁹'"
TEN_TO_THE = (
    f"'10' + ({_POWER} < 10 ? '' : slice({_DIGITS}, floor({_POWER} / 10), floor({_POWER} / 10) + 1))"
    f" + slice({_DIGITS}, {_POWER} % 10, {_POWER} % 10 + 1)"
)
FACTOR = "'×' + format(datum.value, '~r')"


def data(rows: Sequence[Mapping[str, Any]]) -> alt.Data:
    """Return rows as the data of a chart, in the same order."""
    return alt.Data(values=[*rows])


def log_scale(low: float, high: float) -> alt.Scale:
    """Return a log scale between two ends. Positions are whole pixels, because decimals would double a page's size."""
    return alt.Scale(type="log", domain=[low, high], nice=False, round=True)


def powers(ticks: Sequence[float]) -> dict[str, Any]:
    """Return a scale and axis from the first to the last of these powers of ten."""
    return {"scale": log_scale(ticks[0], ticks[-1]), "axis": alt.Axis(values=[*ticks], labelExpr=TEN_TO_THE)}


def factors(values: Sequence[float], ticks: Sequence[float]) -> dict[str, Any]:
    """Return a scale and axis for factors around 1, covering these values and at least 0.1 to 10."""
    far = 1.2 * max(10.0, *(max(value, 1 / value) for value in values))
    return {"scale": log_scale(1 / far, far), "axis": alt.Axis(values=[*ticks], labelExpr=FACTOR)}


def decades(low: float, high: float, step: int = 3) -> list[float]:
    """Return every `step`-th power of ten, from below the low end to above the high end.

    >>> decades(2e3, 5e8), decades(1e2, 1e4, 2)
    ([1000.0, 1000000.0, 1000000000.0], [100.0, 10000.0])
    """
    first, last = math.floor(math.log10(low) / step), math.ceil(math.log10(high) / step)
    return [float(f"1e{step * power}") for power in range(first, max(last, first + 1) + 1)]


def kinds(names: Sequence[str], shapes: Sequence[str] = SHAPES) -> dict[str, alt.Color | alt.Shape]:
    """Return the encodings of `kind` as colour and as shape, so that the chart is also readable without colour."""
    legend = alt.Legend(title=None, orient="top", columns=4, labelLimit=300, symbolOpacity=1)
    colours = alt.Scale(domain=[*names], range=[*PAGE.groups[: len(names)]])
    marks = alt.Scale(domain=[*names], range=[*shapes[: len(names)]])
    return {
        "color": alt.Color("kind:N", sort=None, legend=legend, scale=colours),
        "shape": alt.Shape("kind:N", sort=None, legend=legend if shapes is SHAPES else None, scale=marks),
    }


def band(ratio: float, size: Mapping[str, Any]) -> list[alt.Chart]:
    """Return the background for a chart of ratios: a shaded band within this factor of 1, and a line at 1."""
    ground = alt.Chart(data([{"low": 1 / ratio, "high": ratio, "one": 1}]), **size)
    return [
        ground.mark_rect(color=PAGE.grid).encode(x=alt.X("low:Q"), x2="high:Q"),
        ground.mark_rule(color=PAGE.axis).encode(x=alt.X("one:Q")),
    ]


def thresholds(y: alt.Y, ends: Sequence[float], colours: Colours, size: int) -> list[alt.Chart]:
    """Return a dashed, labelled line for each legal threshold between the ends of an axis."""
    inside = [threshold.flop for threshold in THRESHOLDS if ends[0] < threshold.flop < ends[1]]
    if not inside:
        return []
    base = alt.Chart(data([{"flop": flop, "words": f"{numbers.power(flop)} FLOP"} for flop in inside]))
    text = base.mark_text(align="left", dx=6, dy=-7, color=colours.soft, fontSize=size)
    return [
        base.mark_rule(strokeDash=[4, 4], color=colours.axis).encode(y=y),
        text.encode(y=y, x=alt.value(0), text="words:N"),
    ]


def vega_lite(
    chart: alt.LayerChart | alt.Chart, colours: Colours = PAGE, text: int = 13, **whole: Any
) -> dict[str, Any]:
    """Return the chart as Vega-Lite with the theme. `text` is the font size; `whole` has the chart's own settings."""
    themed = chart.configure(**{"aria": False, "font": FONTS, "background": "transparent", "padding": 6} | whole)
    themed = themed.configure_view(stroke=None).configure_axis(
        labelColor=colours.soft, titleColor=colours.soft, gridColor=colours.grid, domainColor=colours.axis,
        tickColor=colours.axis, labelFontSize=text, titleFontSize=text, titleFontWeight="normal", labelLimit=450,
    )  # fmt: skip
    themed = themed.configure_legend(labelFontSize=text, labelColor=colours.ink, symbolSize=60)
    return themed.to_dict(validate=False)


def svg_chart(chart: alt.LayerChart | alt.Chart, words: str) -> Markup:
    """Return the chart as SVG for a page. Screen readers read `words` instead."""
    return INLINE.format(words, Markup(vl_convert.vegalite_to_svg(vega_lite(chart), vl_version=VEGA_LITE)))


def figure(chart: alt.LayerChart | alt.Chart, words: str) -> Markup:
    """Return the chart as SVG in two widths, of which the page shows one. Screen readers read `words` instead."""
    spec = vega_lite(chart)
    drawn = (Markup(vl_convert.vegalite_to_svg(item, vl_version=VEGA_LITE)) for item in (spec, phone_chart(spec)))
    return INLINE.format(words, WIDTHS.format(*drawn))


def phone_chart(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return a Vega-Lite chart at a phone's width: one column of legend, long labels cut, overlapping ones left out."""
    axis = {**spec["config"]["axis"], "labelLimit": 195, "labelOverlap": True}
    config = {**spec["config"], "axis": axis, "axisX": {"titleAnchor": "end"}}
    narrow = {**_without_width(spec), "width": NARROW, "config": config}
    if "vconcat" in spec:  # panels do not shrink by themselves, because their width excludes labels
        return narrow | {"vconcat": [{**panel, "width": NARROW - 130} for panel in narrow["vconcat"]]}
    return narrow | {"config": {**config, "autosize": {"type": "fit-x", "contains": "padding"}}}


def _without_width(part: Any, name: str = "") -> Any:
    if isinstance(part, list) and name in ("layer", "vconcat"):
        return [_without_width(item) for item in part]
    if not isinstance(part, Mapping) or name == "data":
        return 1 if name == "columns" else part
    return {key: _without_width(value, key) for key, value in part.items() if key != "width"}
