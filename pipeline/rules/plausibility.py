"""Find models whose records are physically impossible: their operations exceed their chips' peak x time."""

from collections.abc import Iterable, Mapping
from math import exp, log, sqrt
from typing import Any, NamedTuple

from pipeline.formulas.uncertainty import NORMAL_QUANTILE_95
from schemas.params import Reconcile

Row = Mapping[str, Any]
CHIPS_A_NODE, DAYS_A_WEEK = 8, 7


def above_peak(reconciliations: Iterable[Row]) -> dict[str, str]:
    """Return a problem, by id, per model whose operations exceed its chips' peak even at the near ends of both ranges.

    If the precision is inferred, the chip's faster precision is used. A model with an unknown chip is never reported.
    """
    problems = {}
    for row in reconciliations:
        implied, ceiling = row["implied_utilization_fraction"], row["utilization_ceiling_fraction"]
        if implied is None or row["is_hardware_imputed"]:
            continue
        faster = max(row["format_ratio"] or 1.0, 1.0)
        largest = ceiling * faster
        if implied / _reach(row["examples_log_sd"]) > ceiling * max(faster, _reach(row["chip_peak_log_sd"])):
            problems[row["model_id"]] = (
                f"the counted {row['operation_count_flop']:.3g} FLOP are {implied:.3g} times what the chips can do in their time"
                f" ({row['chip_peak_flop']:.3g} FLOP), but at most {largest:.3g} is possible; check parameters, examples, epochs, steps,"
                " batch, chips, duration and chip_time"
            )
    return problems


def _reach(log_sd: float) -> float:
    return exp(NORMAL_QUANTILE_95 * log_sd)


class _Slip(NamedTuple):
    """A common slip: the figure, a description, and the factor by which its correction changes the implied utilization."""

    figure: str
    factor: float
    description: str


def likeliest_slip(reconciliation: Row, epochs: float, params: Reconcile) -> str:
    """Return a sentence naming the figure that is probably wrong in a run above its chips' peak: the best-fitting slip.

    Slips are factors of a thousand (M for B, B for T), nodes of eight chips counted as chips, weeks taken for days, and
    passes counted twice. The sentence names no figure if no slip would give a utilization that dense networks reach.
    """
    implied = reconciliation["implied_utilization_fraction"]
    slips = [
        _Slip("parameters", 1e-3, "a thousand times fewer parameters (M for B)"),
        _Slip("examples", 1e-3, "a thousand times fewer tokens or images (B for T)"),
        _Slip("chips", 1 / CHIPS_A_NODE, f"{CHIPS_A_NODE} times as many chips (nodes were counted)"),
        _Slip("duration", 1 / DAYS_A_WEEK, f"{DAYS_A_WEEK} times as long (weeks, not days)"),
    ]
    if epochs > 1:
        slips.append(_Slip("epochs", 1 / epochs, "one pass (the data stated are all that was seen)"))
    likely = [
        slip
        for slip in slips
        if params.min_dense_utilization <= implied * slip.factor <= params.implausible_utilization
    ]
    if not likely:
        return "no single common slip explains it: check parameters, data, passes, chips and time"
    middle = sqrt(params.min_dense_utilization * params.implausible_utilization)
    best = min(likely, key=lambda slip: abs(log(implied * slip.factor / middle)))
    return f"most likely wrong: {best.figure}; {best.description} would be {implied * best.factor:.2g} of the peak"
