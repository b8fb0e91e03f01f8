"""Charts of the reports: inline SVG, byte-identical each time, in colours that follow light and dark."""

import html
import math
from collections.abc import Sequence

import altair as alt
import vl_convert

from pipeline.site.charts import TEN_TO_THE, VEGA_LITE, shortened, without_roles
from pipeline.site.report import Row

# Okabe and Ito's palette without its yellow, which is too faint on white: distinguishable with every kind of colour vision.
BLUE, VERMILION, GREEN, PINK, ORANGE, SKY, BLACK = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"
)  # fmt: skip
PALETTE = (BLUE, VERMILION, GREEN, PINK, ORANGE, SKY, BLACK)
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")
GREY = "#8a8f98"
PALE = "#e3e8ef"
COLOURS = {
    "white": "paper", "#33373d": "ink", "#e8eaed": "grid", GREY: "axis", PALE: "grid", BLACK: "ink", BLUE: "group-1", VERMILION: "group-2",
    GREEN: "group-3", PINK: "group-4", ORANGE: "group-5", SKY: "group-6",
}  # and their names in site.css  # fmt: skip
FONT = "Liberation Sans"  # vl-convert measures text with this font; a browser may substitute another
WIDTH = 740


def data(rows: Sequence[Row]) -> alt.Data:
    """Rows of a chart; they keep their order."""
    return alt.Data(values=list(rows))


def log_x(field: str, title: str, ticks: Sequence[float]) -> alt.X:
    """A horizontal channel on a log scale from the first tick to the last."""
    return alt.X(f"{field}:Q", title=title, scale=_log(ticks), axis=_powers(ticks))


def log_y(field: str, title: str, ticks: Sequence[float]) -> alt.Y:
    """A vertical channel on a log scale from the first tick to the last."""
    return alt.Y(f"{field}:Q", title=title, scale=_log(ticks), axis=_powers(ticks))


def _log(ticks: Sequence[float]) -> alt.Scale:
    return alt.Scale(type="log", domain=[ticks[0], ticks[-1]], nice=False)


def _powers(ticks: Sequence[float]) -> alt.Axis:
    return alt.Axis(values=list(ticks), labelExpr=TEN_TO_THE)


def decades(low: float, high: float, step: int = 3) -> list[float]:
    """Powers of ten, every `step`, from below the low end to above the high end.

    >>> decades(2e3, 5e8), decades(1e2, 1e4, 2)
    ([1000.0, 1000000.0, 1000000000.0], [100.0, 10000.0])
    """
    first, last = math.floor(math.log10(low) / step), math.ceil(math.log10(high) / step)
    return [float(f"1e{step * power}") for power in range(first, max(last, first + 1) + 1)]


def legend(names: Sequence[str], title: str | None = None) -> dict[str, alt.Color | alt.Shape]:
    """Colour and shape of `kind`, redundant, so that the chart is readable without colour."""
    shown = alt.Legend(title=title, orient="top", columns=4, labelLimit=300, symbolOpacity=1)
    return {
        "color": alt.Color("kind:N", sort=None, legend=shown, scale=alt.Scale(domain=list(names), range=list(PALETTE[: len(names)]))),
        "shape": alt.Shape("kind:N", sort=None, legend=shown, scale=alt.Scale(domain=list(names), range=list(SHAPES[: len(names)]))),
    }  # fmt: skip


def drawn(chart: alt.LayerChart | alt.Chart, words: str) -> str:
    """The chart as inline SVG; `words` is its text alternative."""
    whole = chart.configure(aria=False, font=FONT, background="white", padding=6).configure_view(stroke=None)
    whole = whole.configure_axis(
        labelColor="#33373d", titleColor="#33373d", gridColor="#e8eaed", domainColor="#8a8f98", tickColor="#8a8f98",
        labelFontSize=12, titleFontSize=12, titleFontWeight="normal", labelLimit=320,
    ).configure_legend(labelFontSize=12, titleFontSize=12, labelColor="#33373d")  # fmt: skip
    svg = vl_convert.vegalite_to_svg(whole.to_dict(validate=False), vl_version=VEGA_LITE)
    for colour, name in COLOURS.items():
        svg = svg.replace(f'"{colour}"', f'"var(--{name})"')
    return shortened(without_roles(svg)).replace(
        "<svg ", f'<svg role="img" aria-label="{html.escape(words, quote=True)}" ', 1
    )
