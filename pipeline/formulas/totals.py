"""Sums of parameters and FLOP over the layers of a network, for one example."""

from collections.abc import Iterable
from typing import NamedTuple

from pipeline.formulas.layers import LayerCount


class Totals(NamedTuple):
    """Sums over layers, in FLOP per example, with attention as layers define it. No other has `elementwise_flop`."""

    parameters: int = 0
    active_parameters: int = 0
    forward_flop: float = 0
    forward_flop_full_attention: float = 0
    attention_score_flop: float = 0
    backward_flop: float = 0
    elementwise_flop: float = 0


def total(layers: Iterable[tuple[LayerCount, float, int]]) -> Totals:
    """Return the sums over layers, each given as (count, backward FLOP, number of repetitions).

    >>> from pipeline.formulas.layers import linear
    >>> tuple(total([(linear((4,), out_features=2), 16, 1), (linear((2,), out_features=2), 16, 3)]))
    (28, 28, 40, 40, 0, 64, 0)
    """
    sums = Totals()
    for count, backward_flop, times in layers:
        amounts: tuple[float, ...] = (
            count.parameters,
            count.active_parameters,
            count.forward_flop,
            count.matrix_flop + count.full_score_flop,
            count.score_flop,
            backward_flop,
            count.elementwise_flop,
        )
        sums = Totals._make(sum_before + times * amount for sum_before, amount in zip(sums, amounts, strict=True))
    return sums
