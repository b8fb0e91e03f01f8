"""A chart of training compute over time to put on a slide: intervals, thresholds, names and the trend, as one picture."""

import html
from collections.abc import Collection, Sequence
from typing import Any

import altair as alt
import vl_convert
from markupsafe import Markup

from pipeline.html_text import json_in_html, policy
from pipeline.site import charts, numbers
from pipeline.site.ledger import Row
from schemas.vocabulary import THRESHOLDS

TITLE = "Training compute of machine-learning models"
WIDTH, HEIGHT = 1040, 520
LETTERS = charts.Letters(7.6, 20, 80)
SCALE = 2  # pixels of a PNG a unit
DRAW = """vegaEmbed("#chart", JSON.parse(document.getElementById("spec").textContent), {ast: true, actions: false});"""  # with `ast` no text is evaluated
PAGE = Markup("""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}"><title>{title}</title></head>
<body><div id="chart"></div><script type="application/json" id="spec">{spec}</script>
<script>{script}</script></body></html>
""")
FADED = "#b6bec7"  # of models that are not highlighted, where any is


def caption(rows: Sequence[Row], version: str, found: charts.Trend | None) -> list[str]:
    """Lines below the title: how fast compute grows, and what the picture shows of which data."""
    lines = []
    if found:
        speed = "doubles" if found.doubling_months > 0 else "halves"
        lines.append(
            f"Models are selected, not sampled. Compute of those among the {charts.FRONTIER} largest when published (line) {speed} every"
            f" {abs(found.doubling_months):.3g} months: {found.number} models,"
            f" {int(found.first[0])} to {int(found.last[0])}"
        )
    shown = f"{len(rows)} model{'' if len(rows) == 1 else 's'}" + (", fine-tuned ones left out" if rows else "")
    return [*lines, f"{shown}; bars are 90 % intervals. FLOP Ledger {version}, CC BY 4.0"]


def chart(
    rows: Sequence[Row], title: str, version: str, found: charts.Trend | None = None, highlighted: Collection[str] = ()
) -> dict[str, Any]:
    """The picture of `rows`, as `charts.points` makes them, in Vega-Lite; `highlighted` are ids that stand out and are named.

    Without any those that were the largest when published are named, as far as there is room. Raises ValueError where there are no rows.
    """
    if not rows:
        raise ValueError("no model with an estimate is like that")
    named = set(highlighted) or {row["id"] for row in charts.leaders(rows, _axis_ends(rows), (WIDTH, HEIGHT), LETTERS)}
    own = [{**row, "is_named": row["id"] in named} for row in rows]
    years = [int(row["date"][:4]) for row in rows]
    x = alt.X(
        "date:T",
        title=None,
        scale=alt.Scale(domain=[{"year": min(years)}, {"year": max(years) + 1}], nice=False),
        axis=alt.Axis(
            format="%Y", tickCount={"interval": "year", "step": 1 + (max(years) - min(years)) // 16}, grid=False
        ),
    )
    ends, steps = _ends(rows)
    axis = alt.Axis(values=steps, labelExpr=charts.TEN_TO_THE)
    y = alt.Y("flop:Q", title="Training compute, FLOP", scale=alt.Scale(type="log", domain=ends, nice=False), axis=axis)
    groups = [group for group in charts.GROUPS if any(row["group"] == group for row in rows)]
    colours = alt.Scale(domain=groups, range=[charts.GROUPS[group][0] for group in groups])
    legend = alt.Legend(title=None, orient="bottom", columns=7, symbolOpacity=1, symbolSize=90, labelLimit=240)
    group = alt.Color("group:N", scale=colours, legend=legend)
    color = alt.when("datum.is_named").then(group).otherwise(alt.value(FADED)) if highlighted else group
    base = alt.Chart()
    words = [alt.Tooltip(f"{name}:N", title=shown) for name, shown in
             (("name", "Model"), ("organization", "Organization"), ("published", "Published"), ("words", "Training compute"), ("interval", "90 % interval"))]  # fmt: skip
    layers: list[alt.Chart] = [*_limits(y, ends), *(_trend(found, x, y) if found else [])]
    layers += [
        base.mark_rule(strokeWidth=1.6).encode(
            x=x, y=alt.Y("low:Q"), y2="high:Q", color=color, opacity=_opacity(0.85, 0.35)
        ),
        base.mark_point(filled=True, stroke=charts.PAPER, strokeWidth=0.6, size=60).encode(
            x=x, y=y, color=color, tooltip=words, opacity=_opacity(1, 0.85)
        ),
        base.transform_filter("datum.is_named")
        .mark_text(
            align="right", dx=-9, dy=-5, fontSize=14, fontWeight="bold" if highlighted else "normal", color=charts.INK
        )
        .encode(x=x, y=y, text="name:N"),
    ]
    heading = alt.TitleParams(
        title, subtitle=caption(rows, version, found), anchor="start", fontSize=22, subtitleFontSize=14, offset=14,
        subtitlePadding=6, color=charts.INK, subtitleColor=charts.SOFT,
    )  # fmt: skip
    whole = alt.layer(*layers, data=alt.Data(values=own), title=heading, width=WIDTH, height=HEIGHT)
    whole = whole.configure(font=charts.FONT, background="white", padding=18).configure_view(stroke=None)
    whole = whole.configure_axis(
        labelColor=charts.SOFT, titleColor=charts.SOFT, gridColor=charts.GRID, domainColor=charts.AXIS, tickColor=charts.AXIS,
        labelFontSize=14, titleFontSize=14, titleFontWeight="normal",
    ).configure_legend(labelFontSize=13, labelColor=charts.INK)  # fmt: skip
    return whole.to_dict(validate=False)


def png(spec: dict[str, Any]) -> bytes:
    """The picture as PNG."""
    return vl_convert.vegalite_to_png(spec, vl_version=charts.VEGA_LITE, scale=SCALE)


def svg(spec: dict[str, Any]) -> bytes:
    """The picture as SVG, with its title as text alternative."""
    drawn = charts.without_roles(vl_convert.vegalite_to_svg(spec, vl_version=charts.VEGA_LITE))
    words = html.escape(" ".join([spec["title"]["text"], *spec["title"]["subtitle"]]), quote=True)
    return drawn.replace("<svg ", f'<svg role="img" aria-label="{words}" ', 1).encode()


def page(spec: dict[str, Any]) -> bytes:
    """The picture as a page that asks no other host for anything, with a tooltip for each model."""
    script = vl_convert.javascript_bundle(DRAW, vl_version=charts.VEGA_LITE).replace("</script", "<\\/script")
    shown = {"policy": policy(script), "spec": Markup(json_in_html(spec)), "script": Markup(script)}
    return PAGE.format(title=spec["title"]["text"], **shown).encode()


WRITERS = {".png": png, ".svg": svg, ".html": page}


def _ends(rows: Sequence[Row]) -> tuple[list[float], list[float]]:
    """The ends of the axis, in whole powers of ten, and its ticks."""
    powers = [numbers.parts(value)[1] for row in rows for value in (row["low"], row["high"])]
    first, last = min(powers), max(powers) + 1
    step = 1 if last - first <= 8 else 2
    ticks = [float(f"1e{power}") for power in range(first, last + 1) if power % step == 0]
    return [float(f"1e{first}"), float(f"1e{last}")], ticks


def _axis_ends(rows: Sequence[Row]) -> charts.Ends:
    years = [int(row["date"][:4]) for row in rows]
    low, high = _ends(rows)[0]
    return charts.Ends(min(years), max(years) + 1, low, high)


def _limits(y: alt.Y, ends: Sequence[float]) -> list[alt.Chart]:
    inside = [each.flop for each in THRESHOLDS if ends[0] < each.flop < ends[1]]
    limits = alt.Data(values=[{"flop": flop, "words": f"{numbers.power(flop)} FLOP"} for flop in inside])
    if not inside:
        return []
    return [
        alt.Chart(limits).mark_rule(strokeDash=[5, 5], color=charts.AXIS).encode(y=y),
        alt.Chart(limits)
        .mark_text(align="left", dx=6, dy=-8, color=charts.SOFT, fontSize=13)
        .encode(y=y, x=alt.value(0), text="words:N"),
    ]


def _trend(found: charts.Trend, x: alt.X, y: alt.Y) -> list[alt.Chart]:
    line = alt.Data(values=[{"date": charts.day(when), "flop": flop} for when, flop in (found.first, found.last)])
    return [alt.Chart(line).mark_line(color=charts.SOFT, strokeWidth=1.6).encode(x=x, y=y)]


def _opacity(named: float, other: float) -> Any:
    return alt.when("datum.is_named").then(alt.value(named)).otherwise(alt.value(other))
