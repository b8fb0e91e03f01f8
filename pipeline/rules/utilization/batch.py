"""Describe in one sentence how batch size affects utilization, from pairs of runs that differ only in batch size."""

from collections.abc import Sequence
from statistics import median, quantiles
from typing import Any


def sentence(pairs: Sequence[dict[str, Any]]) -> str:
    """Return a sentence on how doubling the batch changes utilization, with the spread over pairs from one source.

    `pairs` are rows of the view `batch_pairs`. The sentence is empty if no source has at least two pairs.
    """
    ratios = [pair["doubling_ratio"] for pair in pairs if pair["is_by_one_source"]]
    if len(ratios) < 2:
        return ""
    tenths = quantiles(ratios, n=10, method="inclusive")
    gaining = sum(ratio > 1 for ratio in ratios)
    low, high = tenths[0], tenths[-1]
    return (
        f"Doubling the batch multiplies utilization by {median(ratios):.2f} in the median of {len(ratios)} pairs of"
        f" runs from one source with the same network, chip and precision (80 % of the ratios are between {low:.2f} and"
        f" {high:.2f}; {gaining} pairs gain)."
    )
