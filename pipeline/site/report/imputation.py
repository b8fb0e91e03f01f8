"""The imputation page: known facts hidden and imputed by rule, the errors, and the coverage of intervals."""

import math
from collections.abc import Sequence

import altair as alt

from pipeline.site.numbers import times
from pipeline.site.report import Row, charts, words

ALL = "all"
PROMISE = 0.9
FEWEST = 8  # errors from which on a standard deviation is taken from them
WHOLE = ("operation_count_flop", "training_flop")  # totals, whose uncertainty follows from that of the inputs
OTHER_CHIPS = ("year_mean_of_ledger", "year_most_common_of_ledger")
STATED, INFERRED = "precision stated", "precision inferred too"
FACTORS = [0.001, 0.01, 0.1, 0.2, 0.5, 1, 2, 5, 10, 100, 1000, 10000]


def page(
    imputation_backtests: Sequence[Row],
    imputation_errors: Sequence[Row],
    year_peak_comparison: Sequence[Row],
    near_ratio: float,
) -> Row:
    """What the page shows, from rows of the tables that its arguments are named after and the factor within which a value is near another."""
    summed = [{**row, **_words(row), **_factors(row)} for row in _in_order(imputation_errors) if row["period"] == ALL]
    parts = [row for row in imputation_backtests if row["quantity"] not in WHOLE and row["rule"] not in OTHER_CHIPS]
    wholes = [row for row in imputation_backtests if row["quantity"] in WHOLE]
    chips = [row for row in imputation_backtests if row["rule"] == "year_default"]
    return {
        "numbers": numbers(imputation_backtests, summed, near_ratio),
        "near": times(near_ratio),
        "fewest": FEWEST,
        "parts": strips(_in_order(parts), "imputed / known (log scale)", near_ratio) if parts else None,
        "wholes": strips(_in_order(wholes), "ours / the other figure (log scale)", near_ratio) if wholes else None,
        "years": by_year(chips, near_ratio) if chips else None,
        "summed": summed,
        "peaks": [{**row, "spread": math.exp(row["log_sd"])} for row in year_peak_comparison],
    }


def numbers(hidden: Sequence[Row], summed: Sequence[Row], near_ratio: float) -> Row:
    """The numbers of the page's prose."""
    inputs = [row for row in hidden if row["quantity"] not in WHOLE and row["rule"] not in OTHER_CHIPS]
    headlines = [row for row in hidden if row["quantity"] == "training_flop"]
    tested = [row for row in summed if row["errors_number"] >= FEWEST and row["rule"] not in OTHER_CHIPS]
    return {
        "inputs": len(inputs),
        "held": sum(row["is_in_interval"] for row in inputs),
        "models": len({row["model_id"] for row in inputs}),
        "headlines": len(headlines),
        "headlines_models": len({row["model_id"] for row in headlines}),
        "headlines_held": sum(row["is_in_interval"] for row in headlines),
        "near": [row for row in headlines if abs(row["log_error"]) <= math.log(near_ratio)],
        "short": [row for row in tested if row["share_in_interval_fraction"] < PROMISE - 0.1],
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


def _factors(row: Row) -> Row:
    return {
        "typical": math.exp(row["median_log_error"]),
        "bias": math.exp(row["log_bias"]),
        "spread": math.exp(row["error_log_sd"]),
    }


def strips(rows: Sequence[Row], title: str, near_ratio: float) -> str:
    """A line for each quantity and rule: a stroke for each hidden fact, by whether it is in its interval, and the median."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        words = _words(row)
        groups.setdefault(f"{words['quantity_words']}: {words['rule_words']}", []).append(row)
    names = {line: f"{line} ({len(own)})" for line, own in groups.items()}
    kinds = ("in its 90 % interval", "outside")
    strokes = [
        {"line": names[line], "factor": math.exp(row["log_error"]), "kind": kinds[not row["is_in_interval"]]}
        for line, own in groups.items() for row in own
    ]  # fmt: skip
    middles = [{"line": names[line], "middle": math.exp(_middle(own))} for line, own in groups.items()]
    far = max(10.0, *(max(stroke["factor"], 1 / stroke["factor"]) for stroke in strokes)) * 1.2
    x = alt.X("factor:Q", title=title, scale=alt.Scale(type="log", domain=[1 / far, far], nice=False), axis=_factor_axis())  # fmt: skip
    y = alt.Y("line:N", sort=None, title=None)
    color = alt.Color("kind:N", sort=None, scale=alt.Scale(domain=list(kinds), range=[charts.BLUE, charts.VERMILION]),
                      legend=alt.Legend(title=None, orient="top", symbolOpacity=1))  # fmt: skip
    shape = alt.Shape("kind:N", sort=None, scale=alt.Scale(domain=list(kinds), range=["stroke", "circle"]), legend=None)
    base = alt.Chart(charts.data(middles), width=charts.WIDTH - 60, height=alt.Step(24))
    drawn = alt.layer(
        alt.Chart(charts.data([{"low": 1 / near_ratio, "high": near_ratio}])).mark_rect(color=charts.PALE).encode(x=alt.X("low:Q"), x2="high:Q"),
        alt.Chart(charts.data(strokes)).mark_point(size=70, strokeWidth=1.4, opacity=0.65, angle=90).encode(x=x, y=y, color=color, shape=shape),
        base.mark_point(shape="diamond", size=70, filled=True, opacity=1, color=charts.BLACK, stroke="white", strokeWidth=0.8).encode(x=alt.X("middle:Q"), y=y),
    )  # fmt: skip
    words = "; ".join(
        f"{names[line]}: {sum(row['is_in_interval'] for row in own)} in the interval" for line, own in groups.items()
    )
    return charts.drawn(drawn, f"Errors of {len(strokes)} facts hidden and imputed. {words}.")


def _middle(rows: Sequence[Row]) -> float:
    errors = sorted(row["log_error"] for row in rows)
    return float((errors[(len(errors) - 1) // 2] + errors[len(errors) // 2]) / 2)


def _factor_axis() -> alt.Axis:
    return alt.Axis(values=FACTORS, labelExpr="'×' + format(datum.value, '~r')")


def by_year(rows: Sequence[Row], near_ratio: float) -> str:
    """The year's default peak over that of each hidden chip, by year, what is near shaded."""
    marks = [
        {"year": row["published_year"], "factor": math.exp(row["log_error"]), "kind": STATED if row["quantity"] == "peak_by_year" else INFERRED}
        for row in rows
    ]  # fmt: skip
    first, last = min(mark["year"] for mark in marks), max(mark["year"] for mark in marks)
    far = max(10.0, *(max(mark["factor"], 1 / mark["factor"]) for mark in marks)) * 1.2
    band = [{"low": 1 / near_ratio, "high": near_ratio, "one": 1}]
    ground = alt.Chart(charts.data(band), width=charts.WIDTH + 100, height=300)
    drawn = alt.layer(
        ground.mark_rect(color=charts.PALE).encode(y=alt.Y("low:Q"), y2="high:Q"),
        ground.mark_rule(color=charts.GREY).encode(y=alt.Y("one:Q")),
        alt.Chart(charts.data(marks)).mark_point(filled=True, size=48, opacity=0.6).encode(
            x=alt.X("year:Q", title="published", axis=alt.Axis(format="d", tickMinStep=1), scale=alt.Scale(zero=False, nice=False, domain=[first - 1, last + 1])),
            y=alt.Y("factor:Q", title="default peak / peak of the hidden chip", scale=alt.Scale(type="log", domain=[1 / far, far], nice=False), axis=_factor_axis()),
            **charts.legend([STATED, INFERRED]),
        ),
    )  # fmt: skip
    near = sum(1 / near_ratio <= mark["factor"] <= near_ratio for mark in marks)
    return charts.drawn(
        drawn,
        f"The year's default peak against the peaks of {len(marks)} hidden chips of {first} to {last}; {near} within {times(near_ratio)}.",
    )
