"""The accuracy page: our estimates for another catalogue's rows compared with the catalogue's values, and our intervals' coverage."""

from collections.abc import Sequence

import altair as alt
from markupsafe import Markup

from pipeline.site import charts
from pipeline.site.report import Row


def page(accuracy: Row | None) -> Row:
    """Return the page's values from the summary that `make accuracy` writes. `accuracy` is None if the release has no summary."""
    if accuracy is None:
        return {"files": []}
    return {**accuracy, "calibration": held(accuracy["marks"])}


def held(marks: Sequence[Row]) -> Markup:
    """Return the chart of coverage: the share of values inside our intervals against the nominal share, one line per file."""
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
    words = "; ".join(f"{name}: {at_90[name]:.0%} in the 90 % interval" for name in names)
    return charts.figure(chart, f"Share of values inside intervals against the nominal share. {words}.")
