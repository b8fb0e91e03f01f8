"""The chart of training compute over time in three sizes: wide and narrow for the first page, and for a slide."""

import html
import math
import zlib
from collections.abc import Collection, Sequence
from datetime import date
from typing import Any, NamedTuple

import altair as alt
import vl_convert
from markupsafe import Markup

from pipeline.base.text.html_text import json_in_html, policy
from pipeline.site import charts, growth, numbers
from pipeline.site.charts import Colours
from pipeline.site.growth import GROUPS, HOLLOW, OTHERS
from pipeline.site.ledger import Row
from schemas.vocabulary import THRESHOLDS

TITLE = "Training compute of machine-learning models"
FIRST_YEAR = 2018  # the chart begins here unless a reader asks for earlier years, which have few models
# Positions of a name relative to its mark, best first: its side (1 is right, -1 left), and pixels to the right and up.
AROUND = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, -1))
NEAR, FAR = 9, (30, 50, 75, 105, 120)  # pixels; a line connects a far name to its mark
ASLANT = ((1, 1), (1, 0.35), (0.35, 1), (0, 1))
PLACES = [(side, side * NEAR, up * NEAR) for side, up in AROUND] + [
    (side, side * over * far, way * up * far)
    for way in (1, -1)
    for far in FAR
    for over, up in ASLANT
    for side in ((-1, 1) if over else (0,))
]
PARTS = 6  # of the line to a far name, each of which keeps off the other names and their lines
CLEAR = 6  # the least distance in pixels from a name to any other mark or line
CLEARLY = 1.5  # a name must be this many times as far from other marks as from its own
ALIGN = {-1: "right", 0: "center", 1: "left"}
SCALE = 2  # pixels of a PNG per unit
PNG = b"\x89PNG\r\n\x1a\n"  # first bytes of a PNG
# With `ast`, Vega interprets expressions instead of evaluating text as code.
DRAW = """vegaEmbed("#chart", JSON.parse(document.getElementById("spec").textContent), {ast: true, actions: false});"""
PAGE = Markup("""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title></head>
<body><div id="chart"></div><script type="application/json" id="spec">{spec}</script>
<script>{script}</script></body></html>
""")


class Size(NamedTuple):
    """A chart's width and height in its units, font size, mark size, most year ticks, and columns of its legend.

    `letter` and `line` are the width of a letter and the height of a line in model names; if `letter` is 0, all names
    are hidden. Names stay out of the left `margin`, which is for the labels of thresholds.
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
    """The ends of a chart's axes: years, and FLOP in whole powers of ten."""

    first_year: int
    last_year: int
    low: float
    high: float


def ends_of(rows: Sequence[Row], trend: Row | None = None) -> Ends:
    """Return axis ends that include these rows, their intervals, the trend line, and room for names above them."""
    when = [int(row["date"][:4]) for row in rows]
    heights = [value for row in rows for value in (row["low"], row["high"])]
    heights += [trend["first_flop"], trend["last_flop"]] if trend else []
    exponents = [numbers.parts(value)[1] for value in heights]
    return Ends(min(when), max(when) + 1, float(f"1e{min(exponents)}"), float(f"1e{max(exponents) + 2}"))


def with_name_positions(rows: Sequence[Row], named: Sequence[str], ends: Ends, size: Size, most: int) -> list[Row]:
    """Return the rows. Up to `most` of `named` that fit have their positions: `align`, `name_date`, `name_flop`, `is_far`.

    `named` has ids, the most important first. A name covers no other name, no mark and no threshold line. A name without a
    line to its mark is nearer to it than to any other mark. assets/explorer.js does the same.
    """
    first, last = (date(year, 1, 1) for year in ends[:2])

    def height_of(flop: float) -> float:
        return size.height * numbers.position(flop, ends.low, ends.high) / 100

    spots = [
        (size.width * ((date.fromisoformat(row["date"]) - first) / (last - first)), height_of(row["flop"]))
        for row in rows
    ]
    threshold_heights = [height_of(threshold.flop) for threshold in THRESHOLDS if ends.low < threshold.flop < ends.high]
    half_height, boxes, name_places = size.line / 2.5, [(-size.width, size.margin, 0.0, float(size.height))], {}
    places = {row["id"]: place for place, row in enumerate(rows)}
    # Boxes are (left, right, bottom, top) in the chart's units, from its lower left corner.
    for number in (places[model] for model in named):
        if len(name_places) == most:
            break
        (x, y), width = spots[number], size.letter * len(rows[number]["name"])
        for side, over, up in PLACES:
            left, middle, is_far = x + over - width * (1 - side) / 2, y + up, max(abs(over), abs(up)) > NEAR
            box = (left, left + width, middle - half_height, middle + half_height)
            least_distance = CLEAR if is_far else max(CLEAR, CLEARLY * _distance(box, spots[number]))
            is_inside = box[1] <= size.width and box[2] >= 0 and box[3] <= size.height
            is_off_lines = all(not box[2] - CLEAR / 2 < limit < box[3] + CLEAR / 2 for limit in threshold_heights)
            covered = [box, *(_part((x, y), (over, up), part) for part in range(PARTS if is_far else 0))]
            if not is_inside or not is_off_lines or any(_overlap(one, other) for one in covered for other in boxes):
                continue
            if all(_distance(box, spot) > least_distance for place, spot in enumerate(spots) if place != number):
                boxes += covered
                day = first + (x + over) / size.width * (last - first)
                flop = ends.low * (ends.high / ends.low) ** (middle / size.height)
                place = {"align": ALIGN[side], "name_date": day.isoformat(), "name_flop": flop, "is_far": is_far}
                name_places[number] = place
                break
    return [{**row, "is_named": place in name_places, **name_places.get(place, {})} for place, row in enumerate(rows)]


def _part(spot: tuple[float, float], way: tuple[float, float], number: int) -> tuple[float, ...]:
    """Return the box around one of the PARTS of a line that goes this way from a mark."""
    across, upright = (
        sorted(start + length * (number + more) / PARTS for more in (0, 1))
        for start, length in zip(spot, way, strict=True)
    )
    return (*across, *upright)


def _overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]


def _distance(box: tuple[float, ...], spot: tuple[float, float]) -> float:
    """Return the distance from a point to a box, given as left, right, bottom, top."""
    return math.hypot(max(box[0] - spot[0], 0, spot[0] - box[1]), max(box[2] - spot[1], 0, spot[1] - box[3]))


def chart(
    rows: Sequence[Row], size: Size, trend: Row | None, colours: Colours = charts.PAGE, highlighted: Collection[str] = ()
) -> alt.LayerChart:  # fmt: skip
    """Return the chart of the rows from growth.points, with 90 % intervals, thresholds, names and the trend.

    Domains, colours and scales stay the same when a reader filters rows. `highlighted` holds the ids of models to emphasize
    and name; if it is empty, up to MOST_NAMES models from `growth.named` are named. Raises ValueError if there are no rows.
    """
    if not rows:
        raise ValueError("no model with an estimate matches")
    ends = ends_of(rows, trend)
    chosen = (
        sorted(rows, key=lambda row: -row["flop"])
        if highlighted
        else growth.labelled_points(rows)
        if size.letter
        else []
    )
    named = [row["id"] for row in chosen if not highlighted or row["id"] in highlighted]
    hues = {**dict(zip(GROUPS, colours.groups, strict=True)), **dict.fromkeys(HOLLOW, colours.paper)}
    most = len(named) if highlighted else growth.MOST_NAMES
    marks = [{**row, "hue": hues[row["group"]]} for row in with_name_positions(rows, named, ends, size, most)]
    x, y = _axes(ends, size)
    layers = charts.thresholds(y, ends[2:], colours, size.text)
    if trend:
        line = alt.Chart(charts.data(growth.line(rows, trend)))
        layers.append(line.mark_line(color=colours.soft, strokeWidth=1.4).encode(x=x, y=y))
    base = alt.Chart(width=size.width, height=size.height)
    layers += _marks(base, x, y, _groups(rows, size, colours), size, highlighted)
    if named:
        place = {"x": alt.X("name_date:T", title=None), "y": alt.Y("name_flop:Q")}
        words = alt.Chart().transform_filter("datum.is_named").mark_text(
            baseline="middle", fontSize=size.text, fontWeight="bold" if highlighted else "normal", color=colours.ink,
            align=alt.expr("datum.align"),
        )  # fmt: skip
        leaders = alt.Chart().transform_filter("datum.is_far").mark_rule(color=colours.soft, strokeWidth=0.8)
        layers.append(leaders.encode(x=x, y=y, x2="name_date:T", y2="name_flop:Q"))
        layers.append(words.encode(**place, text="name:N"))
    return alt.layer(*layers, data=charts.data(marks))


def _axes(ends: Ends, size: Size) -> tuple[alt.X, alt.Y]:
    """Return both axes: years with a tick every few years, and powers of ten, only even ones if they are over nine."""
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


def _groups(rows: Sequence[Row], size: Size, colours: Colours) -> dict[str, Any]:
    """Return the fill, shape and stroke of each group. They are the same in every chart; others' figures are hollow."""
    present = {row["group"] for row in rows}
    rings = (*[colours.paper] * len(GROUPS), colours.soft, colours.soft)
    fills = (*colours.groups, colours.paper, colours.paper)
    groups = zip((*GROUPS, *HOLLOW), fills, charts.SHAPES, rings, strict=True)
    names, *looks = ([*column] for column in zip(*(group for group in groups if group[0] in present), strict=True))
    legend = alt.Legend(title=None, orient="top", columns=size.columns, symbolOpacity=1, labelLimit=240)
    channels = {"fill": alt.Fill, "shape": alt.Shape, "stroke": alt.Stroke}
    return {
        name: channel("group:N", scale=alt.Scale(domain=names, range=look), legend=legend)
        for (name, channel), look in zip(channels.items(), looks, strict=True)
    }


def _marks(
    base: alt.Chart, x: alt.X, y: alt.Y, groups: dict[str, Any], size: Size, highlighted: Collection[str]
) -> list[alt.Chart]:
    """Return the intervals and points. Pointing at a model emphasizes it, and clicking the legend selects a group."""
    pointed = alt.selection_point(name="pointed", on="pointerover", fields=["id"], empty=False)
    chosen = alt.selection_point(name="chosen", fields=["group"], bind="legend")
    shown = alt.FieldOneOfPredicate(field="id", oneOf=sorted(highlighted)) if highlighted else chosen
    titles = {
        "name": "Model",
        "organization": "Organization",
        "published": "Published",
        "words": "Training compute",
        "interval": "90 % interval",
    }
    interval_opacity = alt.when(pointed).then(alt.value(1)).when(shown).then(alt.value(0.3))
    intervals = base.mark_rule().encode(
        x=x,
        y=alt.Y("low:Q"),
        y2="high:Q",
        color=alt.Color("hue:N", scale=None),
        opacity=interval_opacity.otherwise(alt.value(0.05)),
        strokeWidth=alt.when(pointed).then(alt.value(3)).otherwise(alt.value(1.4)),
    )
    points = base.mark_point(filled=True, size=size.point).encode(
        x=x,
        y=y,
        **groups,
        strokeWidth=alt.when(alt.FieldOneOfPredicate(field="group", oneOf=HOLLOW))
        .then(alt.value(1.3))
        .otherwise(alt.value(0.5)),
        tooltip=[alt.Tooltip(f"{name}:N", title=title) for name, title in titles.items()],
        opacity=alt.when(shown).then(alt.value(0.9)).otherwise(alt.value(0.1)),
    )
    return [intervals, points.add_params(pointed, chosen)]


def caption(rows: Sequence[Row], version: str, trend: Row | None, largest: Sequence[Row] = ()) -> list[str]:
    """Return the lines below the title: growth, numbers of models, and how many of the largest are missing."""
    others = sum(row["group"] == OTHERS for row in rows)
    number = sum(row["group"] not in HOLLOW for row in rows)
    parts = [f"{number} model{'' if number == 1 else 's'} with an estimate" + (", selected, not sampled, fine-tuned ones left out" if rows else "") + "; bars are 90 % intervals"]  # fmt: skip
    parts += [f"Hollow: {others} without an estimate, as {OTHERS.lower()}, in no trend"] if others else []
    if largest:
        parts[-1] += f". {missing_share(largest)}"
    lines = [f"Line: the 10 largest when published, {trend['growth_sentence']}"] if trend else []
    return [*lines, *parts[:-1], f"{parts[-1]}. FLOP Ledger {version}, CC BY 4.0"]


def missing_share(largest: Sequence[Row]) -> str:
    """Return a phrase on how many of the largest models have no estimate, from the rows of `largest_in_epoch`."""
    number, estimated = (sum(row[name] for row in largest) for name in ("largest_number", "estimated_number"))
    since = min(row["year"] for row in largest)
    return f"Of the {number} in Epoch's ten largest since {since}, {number - estimated} have no estimate"


def picture(
    rows: Sequence[Row], title: str, version: str, trend: Row | None = None, highlighted: Collection[str] = (),
    largest: Sequence[Row] = (),
) -> dict[str, Any]:  # fmt: skip
    """Return the chart with title and caption, for use elsewhere, as Vega-Lite. Raise ValueError without rows."""
    colours = charts.PICTURE
    heading = alt.TitleParams(
        title, subtitle=caption(rows, version, trend, largest), anchor="start", fontSize=22, subtitleFontSize=14, offset=14,
        subtitlePadding=6, color=colours.ink, subtitleColor=colours.soft,
    )  # fmt: skip
    titled = chart(rows, SLIDE, trend, colours, highlighted).properties(title=heading)
    return charts.vega_lite(titled, colours, SLIDE.text, background="white", padding=18)


def png(spec: dict[str, Any]) -> bytes:
    """Return the picture as PNG. The renderer compresses fast; compressing its pixels again saves two thirds."""
    drawn, chunks, place = vl_convert.vegalite_to_png(spec, vl_version=charts.VEGA_LITE, scale=SCALE), [], len(PNG)
    while place < len(drawn):  # each chunk is its size, kind, content and checksum
        end = place + 8 + int.from_bytes(drawn[place : place + 4])
        chunks.append((drawn[place + 4 : place + 8], drawn[place + 8 : end]))
        place = end + 4
    pixels = zlib.compress(zlib.decompress(b"".join(content for kind, content in chunks if kind == b"IDAT")), 9)
    before = [chunk for chunk in chunks if chunk[0] not in (b"IDAT", b"IEND")]
    return PNG + b"".join(
        len(content).to_bytes(4) + kind + content + zlib.crc32(kind + content).to_bytes(4)
        for kind, content in (*before, (b"IDAT", pixels), (b"IEND", b""))
    )


def svg(spec: dict[str, Any]) -> bytes:
    """Return the picture as SVG, with its title as the text alternative."""
    words = html.escape(" ".join([spec["title"]["text"], *spec["title"]["subtitle"]]), quote=True)
    whole = vl_convert.vegalite_to_svg(spec, vl_version=charts.VEGA_LITE)
    return whole.replace("<svg ", f'<svg role="img" aria-label="{words}" ', 1).encode()


def page(spec: dict[str, Any]) -> bytes:
    """Return the picture as a page with a tooltip for each model. The page requests nothing from other hosts."""
    script = vl_convert.javascript_bundle(DRAW, vl_version=charts.VEGA_LITE).replace("</script", "<\\/script")
    shown = {"policy": policy(script), "spec": Markup(json_in_html(spec)), "script": Markup(script)}
    return PAGE.format(title=spec["title"]["text"], **shown).encode()


WRITERS = {".png": png, ".svg": svg, ".html": page}
