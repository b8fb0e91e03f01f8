"""The chart of training compute over time in its sizes.

It is wide or narrow on the first page, and a picture to put on a slide.
"""

import functools
import html
from collections.abc import Collection, Sequence
from datetime import date
from typing import Any, NamedTuple

import altair as alt
import vl_convert
from markupsafe import Markup

from pipeline.base.text.html_text import json_in_html, policy
from pipeline.site import charts, growth, numbers
from pipeline.site.charts import Colours
from pipeline.site.growth import GROUPS
from pipeline.site.ledger import Row

TITLE = "Training compute of machine-learning models"
# Where a name may stand beside its mark, the best first: to the right, up, and how far; -1 is to the left or down.
AROUND = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, -1))
PLACES = [(right, up, distance) for distance in (9, 18, 27, 36) for right, up in AROUND]
ALIGN = {-1: "right", 0: "center", 1: "left"}
SCALE = 2  # pixels of a PNG a unit
# With `ast` no text is evaluated.
DRAW = """vegaEmbed("#chart", JSON.parse(document.getElementById("spec").textContent), {ast: true, actions: false});"""
PAGE = Markup("""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title></head>
<body><div id="chart"></div><script type="application/json" id="spec">{spec}</script>
<script>{script}</script></body></html>
""")
FADED = "#b6bec7"  # of models that are not highlighted, where any is


class Size(NamedTuple):
    """Width and height in the chart's units, the sizes of its words and marks, most years with a tick, columns of the legend.

    Names of models have letters of this width and lines of this height with their distance; without `letter` no model is
    named. They keep off the left `margin`, where thresholds are named.
    """

    width: int
    height: int
    text: int
    point: int
    years: int
    columns: int
    letter: float = 0
    line: float = 0
    margin: float = 0


WIDE = Size(1050, 480, 12, 34, 20, 7, 6.6, 17, 70)
NARROW = Size(270, 360, 12, 22, 4, 2)
SLIDE = Size(1040, 520, 14, 60, 20, 7, 7.6, 20, 80)


class Ends(NamedTuple):
    """Of the axes of a chart: years, and FLOP in whole powers of ten."""

    first_year: int
    last_year: int
    low: float
    high: float


def ends_of(rows: Sequence[Row], trend: Row | None = None) -> Ends:
    """The axes that hold these rows with their intervals, and the line of the trend."""
    when = [int(row["date"][:4]) for row in rows]
    heights = [value for row in rows for value in (row["low"], row["high"])]
    heights += [trend["first_flop"], trend["last_flop"]] if trend else []
    exponents = [numbers.parts(value)[1] for value in heights]
    return Ends(min(when), max(when) + 1, float(f"1e{min(exponents)}"), float(f"1e{max(exponents) + 1}"))


def placed(rows: Sequence[Row], named: Collection[str], ends: Ends, size: Size) -> list[Row]:
    """The rows; those in `named` also say where their name goes: `align`, and `dx` and `dy` from the mark, in pixels.

    Names are placed from the largest model down. Each takes the place of PLACES that overlaps other names, marks and
    the intervals of named models least, the first of these where several are equal.
    """

    def mark(row: Row, flop: str = "flop") -> tuple[float, float]:
        first, last, day = (date.fromisoformat(text) for text in (f"{ends[0]}-01-01", f"{ends[1]}-01-01", row["date"]))
        share = numbers.position(row[flop], ends.low, ends.high) / 100
        return size.width * ((day - first) / (last - first)), size.height * share

    boxes = [(-size.width, size.margin, 0, size.height)]  # obstacles: left, right, bottom, top
    for row in rows:
        (x, low), (_, high) = (mark(row, end if row["id"] in named else "flop") for end in ("low", "high"))
        boxes.append((x, x, low, high))
    places: dict[str, Row] = {}
    for row in sorted((row for row in rows if row["id"] in named), key=lambda row: -row["flop"]):
        (x, y), width, half = mark(row), size.letter * len(row["name"]), size.line / 2.5
        lefts = [x + right * distance - width * (1 - right) / 2 for right, _, distance in PLACES]
        middles = [y + up * distance for _, up, distance in PLACES]
        options = [(left, left + width, at - half, at + half) for left, at in zip(lefts, middles, strict=True)]
        box = min(options, key=lambda option: sum(map(functools.partial(_overlap, option), boxes)))
        right, up, distance = PLACES[options.index(box)]
        boxes.append(box)
        places[row["id"]] = {"align": ALIGN[right], "dx": right * distance, "dy": -up * distance}
    return [{**row, "is_named": row["id"] in places, **places.get(row["id"], {})} for row in rows]


def _overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]


def chart(
    rows: Sequence[Row], size: Size, trend: Row | None, colours: Colours = charts.PAGE, highlighted: Collection[str] = ()
) -> alt.LayerChart:  # fmt: skip
    """Training compute of `rows`, as `growth.points` makes them, with 90 % intervals, thresholds, names and the trend.

    Domains, colours and scales do not depend on which rows a reader filters out. `highlighted` are ids that stand out and
    are named; without any, those of `growth.named` are. Raises ValueError where there are no rows.
    """
    if not rows:
        raise ValueError("no model with an estimate is like that")
    ends = ends_of(rows, trend)
    named = set(highlighted) or {row["id"] for row in growth.named(rows) if size.letter}
    marks = placed(rows, named, ends, size)
    x, y = _axes(ends, size)
    layers = charts.thresholds(y, ends[2:], colours, size.text)
    if trend:
        ends_of_line = [
            {"date": trend[f"{end}_published_date"].isoformat(), "flop": trend[f"{end}_flop"]}
            for end in ("first", "last")
        ]
        line = alt.Chart(charts.data(ends_of_line))
        layers.append(line.mark_line(color=colours.soft, strokeWidth=1.4).encode(x=x, y=y))
    marked = _color(rows, size, colours, is_highlighted=bool(highlighted))
    layers += _marks(alt.Chart(width=size.width, height=size.height), x, y, *marked, size, colours)
    if named:
        weight = "bold" if highlighted else "normal"
        names = alt.Chart().transform_filter("datum.is_named").mark_text(
            baseline="middle", fontSize=size.text, fontWeight=weight, color=colours.ink,
            **{name: alt.expr(f"datum.{name}") for name in ("align", "dx", "dy")},
        )  # fmt: skip
        layers.append(names.encode(x=x, y=y, text="name:N"))
    return alt.layer(*layers, data=charts.data(marks))


def _axes(ends: Ends, size: Size) -> tuple[alt.X, alt.Y]:
    decades = charts.decades(ends.low, ends.high, 1)
    step = 1 + (ends.last_year - ends.first_year) // size.years
    x = alt.X(
        "date:T", title=None,
        scale=alt.Scale(domain=[{"year": ends.first_year}, {"year": ends.last_year}], nice=False, round=True),
        axis=alt.Axis(format="%Y", tickCount={"interval": "year", "step": step}, grid=False),
    )  # fmt: skip
    shown = [value for value in decades if len(decades) <= 9 or numbers.parts(value)[1] % 2 == 0]
    y = alt.Y(
        "flop:Q", title="Training compute, FLOP" if size.letter else None, scale=charts.log_scale(ends.low, ends.high),
        axis=alt.Axis(values=shown, labelExpr=charts.TEN_TO_THE),
    )  # fmt: skip
    return x, y


def _color(rows: Sequence[Row], size: Size, colours: Colours, is_highlighted: bool) -> tuple[Any, alt.Shape]:
    """A group keeps its colour and its shape in every chart."""
    present = {row["group"] for row in rows}
    shown = [
        (group, *marked)
        for group, *marked in zip(GROUPS, colours.groups, charts.SHAPES, strict=True)
        if group in present
    ]
    names, hues, shapes = ([*column] for column in zip(*shown, strict=True))
    legend = alt.Legend(title=None, orient="top", columns=size.columns, symbolOpacity=1, labelLimit=240)
    group = alt.Color("group:N", scale=alt.Scale(domain=names, range=hues), legend=legend)
    shape = alt.Shape("group:N", scale=alt.Scale(domain=names, range=shapes), legend=None if is_highlighted else legend)
    return (
        alt.when("datum.is_named").then(group).otherwise(alt.value(FADED)) if is_highlighted else group,
        shape,
    )


def _marks(
    base: alt.Chart, x: alt.X, y: alt.Y, color: Any, shape: alt.Shape, size: Size, colours: Colours
) -> list[alt.Chart]:
    """Intervals and points; one that is pointed at stands out, and a click on the legend chooses a group."""
    pointed = alt.selection_point(name="pointed", on="pointerover", fields=["id"], empty=False)
    chosen = alt.selection_point(name="chosen", fields=["group"], bind="legend")
    titles = {
        "name": "Model",
        "organization": "Organization",
        "published": "Published",
        "words": "Training compute",
        "interval": "90 % interval",
    }
    interval_opacity = alt.when(pointed).then(alt.value(1)).when(chosen).then(alt.value(0.3))
    intervals = base.mark_rule().encode(
        x=x,
        y=alt.Y("low:Q"),
        y2="high:Q",
        color=color,
        opacity=interval_opacity.otherwise(alt.value(0.05)),
        strokeWidth=alt.when(pointed).then(alt.value(3)).otherwise(alt.value(1.4)),
    )
    points = base.mark_point(filled=True, size=size.point, stroke=colours.paper, strokeWidth=0.5).encode(
        x=x,
        y=y,
        color=color,
        shape=shape,
        tooltip=[alt.Tooltip(f"{name}:N", title=title) for name, title in titles.items()],
        opacity=alt.when(chosen).then(alt.value(0.9)).otherwise(alt.value(0.1)),
    )
    return [intervals, points.add_params(pointed, chosen)]


def caption(rows: Sequence[Row], version: str, trend: Row | None) -> list[str]:
    """Lines below the title: how fast compute grows, and what the picture shows of which data."""
    lines = []
    if trend:
        lines.append(f"Line: the 10 largest when published, {trend['growth_sentence']}")
    shown = f"{len(rows)} model{'' if len(rows) == 1 else 's'}" + (
        ", selected, not sampled, fine-tuned ones left out" if rows else ""
    )
    return [*lines, f"{shown}; bars are 90 % intervals. FLOP Ledger {version}, CC BY 4.0"]


def picture(
    rows: Sequence[Row], title: str, version: str, trend: Row | None = None, highlighted: Collection[str] = ()
) -> dict[str, Any]:
    """The chart with title and caption, to stand alone, in Vega-Lite. Raises ValueError where there are no rows."""
    colours = charts.PICTURE
    heading = alt.TitleParams(
        title, subtitle=caption(rows, version, trend), anchor="start", fontSize=22, subtitleFontSize=14, offset=14,
        subtitlePadding=6, color=colours.ink, subtitleColor=colours.soft,
    )  # fmt: skip
    titled = chart(rows, SLIDE, trend, colours, highlighted).properties(title=heading)
    return charts.themed(titled, colours, SLIDE.text, background="white", padding=18)


def png(spec: dict[str, Any]) -> bytes:
    """The picture as PNG."""
    return vl_convert.vegalite_to_png(spec, vl_version=charts.VEGA_LITE, scale=SCALE)


def svg(spec: dict[str, Any]) -> bytes:
    """The picture as SVG, with its title as text alternative."""
    words = html.escape(" ".join([spec["title"]["text"], *spec["title"]["subtitle"]]), quote=True)
    whole = vl_convert.vegalite_to_svg(spec, vl_version=charts.VEGA_LITE)
    return whole.replace("<svg ", f'<svg role="img" aria-label="{words}" ', 1).encode()


def page(spec: dict[str, Any]) -> bytes:
    """The picture as a page that asks no other host for anything, with a tooltip for each model."""
    script = vl_convert.javascript_bundle(DRAW, vl_version=charts.VEGA_LITE).replace("</script", "<\\/script")
    shown = {"policy": policy(script), "spec": Markup(json_in_html(spec)), "script": Markup(script)}
    return PAGE.format(title=spec["title"]["text"], **shown).encode()


WRITERS = {".png": png, ".svg": svg, ".html": page}
