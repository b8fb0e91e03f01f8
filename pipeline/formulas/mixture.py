"""Finite mixtures of log-normals in plain operators (methods, section 4). Logarithms and log standard deviations in, probabilities out."""

from collections.abc import Iterable
from math import pi
from typing import Any

from pipeline.formulas.uncertainty import added, exponential, probability_above, standard_density


def normal_density(distance: Any, variance: Any) -> Any:
    """Density of a normal quantity at `distance` from its mean, per unit of that distance.

    >>> round(normal_density(0.0, 1.0), 6)
    0.398942
    """
    return exponential(distance * distance / variance * -0.5) / (variance * (2 * pi)) ** 0.5


Components = Iterable[tuple[Any, Any, Any]]  # weights (sum 1), log medians and log standard deviations


def share_below(log_value: Any, components: Components) -> Any:
    """Probability that a mixture lies below a value.

    >>> round(share_below(1.0, [(0.5, 1.0, 0.1), (0.5, 1.0, 2.0)]), 6)
    0.5
    """
    every = list(components)
    return share_beyond(every, distances(log_value, every))


def distances(log_value: Any, components: Components) -> list[Any]:
    """How far the median of each component lies above a value, in its standard deviations.

    >>> distances(1.0, [(0.5, 2.0, 0.5), (0.5, 0.0, 1.0)])
    [2.0, -1.0]
    """
    return [(median - log_value) / log_sd for _, median, log_sd in components]


def share_beyond(components: Components, distances: Iterable[Any]) -> Any:
    """Probability that a mixture lies below the value from which the medians of its components have these distances.

    >>> round(share_beyond([(0.5, 1.0, 0.1), (0.5, 1.0, 2.0)], [0.0, 0.0]), 6)
    0.5
    """
    return added(
        weight * probability_above(distance) for (weight, _, _), distance in zip(components, distances, strict=True)
    )


def density(log_value: Any, components: Components) -> Any:
    """Density of the logarithm of a mixture at a value.

    >>> round(density(1.0, [(0.5, 1.0, 1.0), (0.5, 1.0, 1.0)]), 6)
    0.398942
    """
    every = list(components)
    return density_beyond(every, distances(log_value, every))


def density_beyond(components: Components, distances: Iterable[Any]) -> Any:
    """Density of the logarithm of a mixture at the value from which the medians of its components have these distances.

    >>> round(density_beyond([(0.5, 1.0, 1.0), (0.5, 1.0, 0.5)], [0.0, 0.0]), 6)
    0.598413
    """
    return added(
        weight * standard_density(distance) / log_sd
        for (weight, _, log_sd), distance in zip(components, distances, strict=True)
    )


def mean(components: Components) -> Any:
    """Mean of the logarithm of a mixture.

    >>> mean([(0.25, 4.0, 0.1), (0.75, 0.0, 2.0)])
    1.0
    """
    return added(weight * median for weight, median, _ in components)


def variance(components: Components) -> Any:
    """Variance of the logarithm of a mixture.

    >>> variance([(0.5, 1.0, 1.0), (0.5, 3.0, 1.0)])
    2.0
    """
    every = list(components)
    middle = mean(every)
    return added(weight * (log_sd**2 + (median - middle) ** 2) for weight, median, log_sd in every)
