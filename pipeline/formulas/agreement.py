"""Ratio, weights and combined variance of two estimates of one quantity (methods, section 4). FLOP in, FLOP out; variances of ln."""

from typing import Any


def method_ratio(operation_count_flop: Any, gpu_time_flop: Any) -> Any:
    """Operation count over GPU-time estimate, both in FLOP; dimensionless.

    >>> method_ratio(4e18, 1e18)
    4.0
    """
    return operation_count_flop / gpu_time_flop


def weight(other_variance: Any, own_variance: Any) -> Any:
    """Weight of an estimate, 0 to 1, in the inverse-variance mean of two logarithms.

    >>> weight(3.0, 1.0)
    0.75
    """
    return other_variance / (own_variance + other_variance)


def combined_variance(first_variance: Any, second_variance: Any) -> Any:
    """Variance of the logarithm of the inverse-variance mean of two independent estimates that agree.

    >>> combined_variance(1.0, 1.0)
    0.5
    """
    return first_variance * second_variance / (first_variance + second_variance)


def ratio_variance(first_variance: Any, second_variance: Any, shared_variance: Any) -> Any:
    """Variance of ln(first / second): what both rest on moves both alike, and no part of it is in their ratio.

    >>> ratio_variance(1.0, 2.0, 0.5)
    2.0
    """
    return first_variance + second_variance - 2 * shared_variance
