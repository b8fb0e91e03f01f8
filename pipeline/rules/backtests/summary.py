"""Errors of imputed values and coverage of their intervals, by quantity, rule and year."""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from statistics import median, quantiles

from pipeline.formulas.uncertainty import NORMAL_QUANTILE_95
from pipeline.rules.backtests.hidden import Hidden
from pipeline.sql import Row

ALL = "all"
TESTED = """
    select b.*, r.utilization_case from utilization_backtests b join rated_measurements r using (measurement_id, row)
"""
Error = tuple[float, bool]


def error_log_sd(log_errors: Sequence[float]) -> float:
    """The log standard deviation whose 90 % interval contains 90 % of the errors.

    A root mean square would be dominated by the few cases whose figures differ in scope; a median would ignore the
    tails.

    >>> round(error_log_sd([-0.4, 0.1, -0.2, 0.3] * 5), 3)
    0.243
    """
    sizes = [abs(error) for error in log_errors]
    ninth = quantiles(sizes, n=10, method="inclusive")[-1] if len(sizes) > 1 else sizes[0]
    return ninth / NORMAL_QUANTILE_95


def errors(hidden: Iterable[Hidden]) -> Iterator[Row]:
    """The errors of hidden facts by quantity, rule and year, and over all years."""
    ordered = sorted(hidden, key=lambda row: (row.quantity, row.rule, row.model_id, row.place))
    for (quantity, rule), own in groupby(ordered, key=lambda row: (row.quantity, row.rule)):
        found = list(own)
        years = sorted({row.published_year for row in found})
        periods = {ALL: found} | {str(year): [row for row in found if row.published_year == year] for year in years}
        for period, some in periods.items():
            yield summed(quantity, rule, period, [(row.log_error, row.is_in_interval) for row in some])


def summed(quantity: str, rule: str, period: str, found: Sequence[Error]) -> Row:
    """One row of `imputation_errors`, from errors and whether each is inside its interval."""
    log_errors = [error for error, _ in found]
    return {
        "quantity": quantity,
        "rule": rule,
        "period": period,
        "errors_number": len(found),
        "median_log_error": median(map(abs, log_errors)),
        "log_bias": median(log_errors),
        "error_log_sd": error_log_sd(log_errors),
        "share_in_interval_fraction": sum(held for _, held in found) / len(found),
    }


def measured_utilizations(tested: Iterable[Row], default_spreads: dict[str, float]) -> Iterator[Row]:
    """Measured utilizations against the default and against the prediction from other sources, by case.

    `tested` has the case.
    """
    ordered = sorted(tested, key=lambda row: (row["utilization_case"], row["measurement_id"], row["row"]))
    for case, own in groupby(ordered, key=lambda row: row["utilization_case"]):
        rows = list(own)
        by_default = [
            math.log(row["default_utilization_fraction"] / row["measured_utilization_fraction"]) for row in rows
        ]
        limit = NORMAL_QUANTILE_95 * default_spreads[case]
        yield summed(
            f"utilization_{case}",
            "default_on_measurements",
            ALL,
            [(error, abs(error) <= limit) for error in by_default],
        )
        yield summed(
            f"utilization_{case}", "like_measurements_on_measurements", ALL,
            [
                (
                    math.log(row["utilization_middle_fraction"] / row["measured_utilization_fraction"]),
                    row["utilization_low_fraction"]
                    <= row["measured_utilization_fraction"]
                    <= row["utilization_high_fraction"],
                )
                for row in rows
            ],
        )  # fmt: skip
