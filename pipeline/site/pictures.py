"""A picture for each model and for the ledger, which other sites show beside a link."""

import io
from html import escape

import vl_convert

from pipeline.site import numbers
from pipeline.site.axes import between
from pipeline.site.ledger import Ledger, Row
from pipeline.site.page import Site

WIDTH, HEIGHT = 1200, 630
LEFT, RIGHT = 80, 1120
LONGEST = 40  # characters of a name on one line
FONT = "DejaVu Sans"
AXIS = (1e17, 1e27)
COLOURS = 32  # of a file: an eighth of the bytes of one with all


def write(site: Site, ledger: Ledger) -> None:
    """Writes pictures/<id>.png for every model, and pictures/ledger.png."""
    for row in ledger.models:
        site.bytes(f"pictures/{row['model_id']}.png", _png(of_model(row)))
    known = sum(row["training_flop"] is not None for row in ledger.models)
    words = [_text(LEFT, 250, 84, "FLOP Ledger", "bold"), _text(LEFT, 340, 40, "Training compute of published models,"),
             _text(LEFT, 395, 40, f"with 90 % intervals and sources: {known} estimates")]  # fmt: skip
    site.bytes("pictures/ledger.png", _png(_framed(words)))


def of_model(row: Row) -> str:
    """The picture of a model as SVG: its name, its training compute, and the interval on an axis with the thresholds."""
    name = row["name"] if len(row["name"]) <= LONGEST else f"{row['name'][: LONGEST - 1]}…"
    words = [
        _text(LEFT, 150, 56, name, "bold"),
        _text(LEFT, 205, 30, f"{row['organization'][:60]}, {row['published'][:4]}", color="#5b6673"),
    ]
    if row["training_flop"] is None:
        return _framed([*words, _text(LEFT, 340, 60, "training compute unknown")])
    words.append(_text(LEFT, 325, 76, f"{numbers.power(row['training_flop'])} FLOP"))
    words.append(_text(LEFT, 380, 32, f"90 % interval {numbers.interval_text(row['training_flop_low'], row['training_flop_high'])}", color="#5b6673"))  # fmt: skip
    axis = between(*AXIS)
    spot = axis.spot(row["training_flop"], row["training_flop_low"], row["training_flop_high"])
    lines = [f'<line x1="{LEFT}" x2="{RIGHT}" y1="500" y2="500" stroke="#9aa3ad" stroke-width="2"/>']
    lines += [
        f'<line x1="{_x(mark.place)}" x2="{_x(mark.place)}" y1="430" y2="500" stroke="#9aa3ad" stroke-width="2" stroke-dasharray="6 6"/>'
        for mark in axis.limits
    ]
    lines += [_text(_x(mark.place), 535, 22, mark.label, anchor="middle", color="#5b6673") for mark in axis.ticks]
    lines.append(
        f'<rect x="{_x(spot.low)}" y="448" width="{max(6, spot.width * (RIGHT - LEFT) / 100):.1f}" height="34" rx="8" fill="#b9d0ea"/>'
    )
    lines.append(f'<rect x="{_x(spot.middle) - 3:.1f}" y="440" width="6" height="50" fill="#002b5c"/>')
    return _framed([*words, *lines])  # fmt: skip


def _x(place: float) -> float:
    return round(LEFT + place * (RIGHT - LEFT) / 100, 1)


def _text(
    x: float, y: float, size: int, words: str, weight: str = "normal", anchor: str = "start", color: str = "#1f2933"
) -> str:
    return f'<text x="{x}" y="{y}" font-family="{FONT}" font-size="{size}" font-weight="{weight}" text-anchor="{anchor}" fill="{color}">{escape(words)}</text>'


def _framed(parts: list[str]) -> str:
    frame = (
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/><rect width="{WIDTH}" height="70" fill="#10243e"/>'
    )
    brand = _text(LEFT, 46, 30, "FLOP Ledger", "bold", color="#ffffff")
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">{frame}{brand}{"".join(parts)}</svg>'


def _png(svg: str) -> bytes:
    from PIL import Image  # of the group `site`

    content = io.BytesIO()
    drawn = Image.open(io.BytesIO(vl_convert.svg_to_png(svg, scale=0.5))).convert("RGB")
    drawn.quantize(COLOURS, dither=Image.Dither.NONE).save(content, "PNG", optimize=True)
    return content.getvalue()
