"""Fit the halves of data/records/defaults/catalogue.yaml: rows of another table compared with the models' records."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from scipy.optimize import minimize_scalar

from pipeline.formulas.uncertainty import Lomax

SEARCHED = (
    math.log(0.01),
    math.log(10),
)  # ln of the half; below this, rows that repeat the record's own product would decide


class Fitted(NamedTuple):
    """The half-width with the greatest likelihood, and the nats lost at its half, its double, and the one in use."""

    half: float
    lost: float
    lost_at_half: float
    lost_at_double: float


def fitted(log_ratios: Sequence[float], error: Lomax) -> Fitted:
    """Compare the half of an error with the best half for its exponent; `log_ratios` are ln(record / row)."""

    def lost(half: float) -> float:
        spike = math.log(error.exponent / (2 * half))
        return -math.fsum(spike - (error.exponent + 1) * math.log1p(abs(each) / half) for each in log_ratios)

    best = math.exp(minimize_scalar(lambda log_half: lost(math.exp(log_half)), bounds=SEARCHED, method="bounded").x)
    return Fitted(best, *(lost(half) - lost(best) for half in (error.half, error.half / 2, error.half * 2)))
