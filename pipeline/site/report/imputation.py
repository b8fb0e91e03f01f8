"""The imputation page: we hide known facts and impute them by rule, and show the errors and the intervals' coverage."""

from collections.abc import Sequence

import altair as alt
from markupsafe import Markup

from pipeline.site import charts
from pipeline.site.report import Row, words

FEWEST = 8  # a standard deviation is shown for at least this many errors
TICKS = [0.001, 0.01, 0.1, 0.2, 0.5, 1, 2, 5, 10, 100, 1000, 10000]
INSIDE, OUTSIDE = "in its 90 % interval", "outside"


def page(
    hidden_facts: Sequence[Row], hidden_fact_groups: Sequence[Row], imputation_numbers: Sequence[Row],
    imputation_error_ratios: Sequence[Row], near_ratio: float,
) -> Row:  # fmt: skip
    """Return the page's values from the tables and views that its arguments name. Factors up to `near_ratio` count as near."""
    (numbers,) = imputation_numbers
    summed = [{**row, **_words(row)} for row in _in_order(imputation_error_ratios)]
    return {
        "numbers": numbers,
        "fewest": FEWEST,
        "parts": strips(hidden_facts, hidden_fact_groups, near_ratio),
        "summed": summed,
    }


def _in_order(rows: Sequence[Row]) -> list[Row]:
    order = {name: place for place, name in enumerate(words.HIDDEN)}
    return sorted(rows, key=lambda row: (order.get(row["quantity"], len(order)), row["quantity"]))


def _words(row: Row) -> Row:
    quantity, rule = row["quantity"], row["rule"]
    rules = words.HEADLINES if quantity == "training_flop" else words.RULES
    return {
        "quantity_words": words.HIDDEN.get(quantity, quantity.replace("_", " ")),
        "rule_words": rules.get(rule, rule.replace("_", " ")),
    }


def strips(facts: Sequence[Row], groups: Sequence[Row], near_ratio: float) -> Markup | None:
    """Return a chart with one row per quantity and rule: a tick for each hidden fact, inside or outside its interval, and the median."""
    chart_rows = _in_order([row for row in groups if row["shown_as"] == "input"])
    if not chart_rows:
        return None
    lines = {
        (row["quantity"], row["rule"]): "{quantity_words}: {rule_words}".format(**_words(row)) + f" ({row['facts']})"
        for row in chart_rows
    }
    strokes = [
        {"line": lines[row["quantity"], row["rule"]], "factor": row["error_ratio"], "kind": INSIDE if row["is_in_interval"] else OUTSIDE}
        for row in _in_order(facts) if row["shown_as"] == "input"
    ]  # fmt: skip
    middles = [{"line": lines[row["quantity"], row["rule"]], "middle": row["median_ratio"]} for row in chart_rows]
    kinds = charts.kinds((INSIDE, OUTSIDE), ("stroke", "circle"))
    x = alt.X(
        "factor:Q",
        title="imputed / known (log scale)",
        **charts.factors([stroke["factor"] for stroke in strokes], TICKS),
    )
    y = alt.Y("line:N", sort=[*lines.values()], title=None)
    points = alt.Chart(charts.data(strokes)).mark_point(size=70, strokeWidth=1.4, opacity=0.65, angle=90)
    diamonds = alt.Chart(charts.data(middles)).mark_point(
        shape="diamond", size=70, filled=True, opacity=1, color=charts.PAGE.ink, stroke=charts.PAGE.paper, strokeWidth=0.8
    )  # fmt: skip
    chart = alt.layer(
        *charts.band(near_ratio, {"width": charts.WIDTH - 60, "height": alt.Step(24)}),
        points.encode(x=x, y=y, **kinds),
        diamonds.encode(x=alt.X("middle:Q"), y=y),
    )
    held = "; ".join(f"{lines[row['quantity'], row['rule']]}: {row['held']} in the interval" for row in chart_rows)
    return charts.figure(chart, f"Errors of {len(strokes)} facts hidden and imputed. {held}.")
