"""Find models whose records are physically impossible: their operations exceed their chips' peak x time."""

from collections.abc import Iterable
from math import exp, log, sqrt

from pipeline.formulas.uncertainty import NORMAL_QUANTILE_95
from pipeline.models.sql import Row
from schemas.params import Reconcile

CHIPS_A_NODE, DAYS_A_WEEK = 8, 7


def runs_above_peak(reconciliations: Iterable[Row]) -> dict[str, str]:
    """Return a message for each model whose operations exceed its chips' peak at the near ends of both ranges, by id.

    If the precision is inferred, the chip's faster precision is used. A model whose chip is unknown is never reported.
    """
    problems = {}
    for row in reconciliations:
        implied, ceiling = row["implied_utilization_fraction"], row["utilization_ceiling_fraction"]
        if implied is None or row["is_hardware_imputed"]:
            continue
        faster = max(row["format_ratio"] or 1.0, 1.0)
        if implied / _ratio(row["examples_log_sd"]) > ceiling * max(faster, _ratio(row["chip_peak_log_sd"])):
            problems[row["model_id"]] = (
                f"the counted {row['operation_count_flop']:.3g} FLOP are {implied:.3g} times what the chips can do in"
                f" their time ({row['chip_peak_flop']:.3g} FLOP), but at most {ceiling * faster:.3g} is possible; check"
                " parameters, examples, epochs, steps, batch, chips, duration and chip_time"
            )
    return problems


FAR_APART = "is one of the inputs wrong? If not, state the cause in `dispute`"


def two_methods(row: Row) -> str | None:
    """Return a sentence with both totals of a model's training, or None if a total or the chip is unknown.

    >>> totals = {"operation_count_flop": 3e23, "gpu_time_flop": 1e23}
    >>> two_methods({**totals, "implied_utilization_fraction": 0.9, "is_hardware_imputed": False})
    'operations 3e+23 FLOP, GPU time 1e+23 FLOP: a ratio of 3, and a utilization of 90 % if the operations are right'
    """
    counted, timed, implied = row["operation_count_flop"], row["gpu_time_flop"], row["implied_utilization_fraction"]
    if not counted or not timed or implied is None or row["is_hardware_imputed"]:
        return None
    return (
        f"operations {counted:.3g} FLOP, GPU time {timed:.3g} FLOP: a ratio of {counted / timed:.2g}, and a utilization"
        f" of {100 * implied:.2g} % if the operations are right"
    )


def are_far_apart(row: Row, ratio: float) -> bool:
    """Return whether the two totals of a row differ by more than `ratio`."""
    return not 1 / ratio <= row["operation_count_flop"] / row["gpu_time_flop"] <= ratio


def _ratio(log_sd: float) -> float:
    return exp(NORMAL_QUANTILE_95 * log_sd)


def likeliest_slip(reconciliation: Row, epochs: float, params: Reconcile) -> str:
    """Return a sentence that names the figure that is most likely wrong in a run above its chips' peak.

    Common slips are a factor of a thousand (M for B, B for T), nodes of eight chips counted as chips, weeks taken for
    days, and epochs counted twice. The sentence names no figure if no such correction gives a utilization that dense
    networks reach.
    """
    implied = reconciliation["implied_utilization_fraction"]
    slips = {  # for each figure, its correction and the utilization with it
        "parameters": ("a thousand times fewer parameters (M for B)", implied / 1e3),
        "examples": ("a thousand times fewer tokens or images (B for T)", implied / 1e3),
        "chips": (f"{CHIPS_A_NODE} times as many chips (nodes were counted)", implied / CHIPS_A_NODE),
        "duration": (f"{DAYS_A_WEEK} times the duration (weeks, not days)", implied / DAYS_A_WEEK),
        "epochs": ("one epoch (the stated data are all that was seen)", implied / epochs),
    }
    least, most = params.min_dense_utilization, params.implausible_utilization
    # The figure whose correction brings utilization closest to the middle of the plausible range, as a ratio.
    figure = min(slips, key=lambda name: abs(log(slips[name][1] / sqrt(least * most))))
    correction, utilization = slips[figure]
    if not least <= utilization <= most:
        return "no single common slip explains it: check parameters, data, epochs, chips and time"
    return f"most likely wrong: {figure}; with {correction}, the run would reach {utilization:.2g} of the peak"
