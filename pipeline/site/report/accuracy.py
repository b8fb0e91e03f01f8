"""The accuracy page: our estimates of another catalogue's rows compared with theirs, and the coverage of our intervals."""

from collections.abc import Sequence

import altair as alt

from pipeline.site.report import Row, charts

MEANINGS = {"ours": "ours", "theirs": "theirs", "scope": "of another scope (fine-tuning alone, or with its base model)"}


def page(accuracy: Row | None) -> Row:
    """What the page shows, from the summary that `make accuracy` keeps; None where this release has none."""
    if accuracy is None:
        return {"files": []}
    return {
        **accuracy,
        "calibration": held(accuracy["marks"]),
        "meanings": MEANINGS,
        "further": sum(number for _, number in accuracy["blame"]),
    }


def held(marks: Sequence[Row]) -> str:
    """Share of true values inside intervals against the nominal share, one line a file, with the diagonal."""
    names = list(dict.fromkeys(mark["kind"] for mark in marks))
    shares = [0, 0.2, 0.4, 0.6, 0.8, 1]
    axis = alt.Axis(values=shares, format="%")
    scale = alt.Scale(domain=[0, 1], nice=False)
    ends = [{"promised": end, "inside": end} for end in (0, 1)]
    x = alt.X("promised:Q", title="nominal share", scale=scale, axis=axis)
    y = alt.Y("inside:Q", title="share inside", scale=scale, axis=axis)
    kinds = charts.legend(names)
    base = alt.Chart(charts.data(marks), width=440, height=440).encode(x=x, y=y)
    drawn = alt.layer(
        alt.Chart(charts.data(ends)).mark_line(color=charts.GREY, strokeWidth=1).encode(x=x, y=y),
        base.mark_line(strokeWidth=1.4, opacity=0.6).encode(color=kinds["color"]),
        base.mark_point(filled=True, size=48, opacity=1).encode(**kinds),
    )
    words = "; ".join(
        f"{name}: {next(mark['inside'] for mark in marks if mark['kind'] == name and mark['promised'] == 0.9):.0%} in the 90 % interval"
        for name in names
    )  # fmt: skip
    return charts.drawn(drawn, f"Share of values inside intervals against the nominal share. {words}.")
