"""Log-normal uncertainty in closed form (methods, section 5).

`log_sd` and "spread" are the standard deviation of the natural logarithm: ln of the geometric standard deviation.
"""

from collections.abc import Iterable
from functools import reduce
from math import e, pi
from operator import add
from typing import Any

NORMAL_QUANTILE_95 = 1.6448536269514722
NORMAL_QUANTILE_75 = HALF_NORMAL_MEDIAN = 0.6744897501960817  # the median of |N| is the upper quartile of N
HALF_NORMAL_SD = (1 - 2 / pi) ** 0.5  # of |N| around its own mean
ROOT_2_PI = (2 * pi) ** 0.5
SMALLEST = 1e-60  # keeps the sign of a distance of zero defined


def exponential(power: Any) -> Any:
    """e to a power, of a number, an array or a column expression: engines work `exp` out several times as fast as a power of e.

    >>> exponential(1.0) == e
    True
    """
    return getattr(power, "exp", lambda: e**power)()


def size(value: Any) -> Any:
    """A number, array or column expression without its sign.

    >>> size(-2.0)
    2.0
    """
    return getattr(value, "abs", lambda: abs(value))()


def added(terms: Iterable[Any]) -> Any:
    """The sum from left to right, of numbers, arrays or column expressions alike, as SQL adds them.

    From Python 3.12 on, `sum` makes up for what rounding takes from floats: its last digit is another one there.

    >>> added([1e16, 1.0, -1e16])
    0.0
    """
    return reduce(add, terms, 0)


def variance(*log_sds: Any) -> Any:
    """Variance of the logarithm of a product of independent inputs: the sum of squares.

    >>> variance(3.0, 4.0)
    25.0
    """
    return added(log_sd**2 for log_sd in log_sds)


def spread(variance: Any) -> Any:
    """Standard deviation of a logarithm from its variance.

    >>> spread(25.0)
    5.0
    """
    return variance**0.5


def spread_of_sum(width: Any, total: Any) -> Any:
    """Log standard deviation of a sum of fully correlated parts: `width` is the sum of amount x log_sd, `total` that of the amounts.

    >>> spread_of_sum(3.0 * 0.5 + 1.0 * 0.1, 4.0)
    0.4
    """
    return width / total


def log_sd_of_interval(log_ratio: Any) -> Any:
    """Standard deviation of the logarithm of a quantity whose 90 % interval has ends that are `log_ratio` apart, in logarithms.

    >>> round(high(1e20, log_sd_of_interval(1.0)) / low(1e20, log_sd_of_interval(1.0)), 6)
    2.718282
    """
    return log_ratio / (2 * NORMAL_QUANTILE_95)


def low(median: Any, log_sd: Any) -> Any:
    """The 5 % point of a log-normal.

    A geometric standard deviation of 2 puts it a factor of 2**1.645 = 3.127 below:

    >>> round(1e20 / low(1e20, 0.6931471805599453), 3)
    3.127
    """
    return median * e ** (-NORMAL_QUANTILE_95 * log_sd)


def high(median: Any, log_sd: Any) -> Any:
    """The 95 % point of a log-normal.

    >>> round(high(1e20, 0.6931471805599453) / 1e20, 3)
    3.127
    """
    return median * e ** (NORMAL_QUANTILE_95 * log_sd)


def standard_density(distance: Any) -> Any:
    """Density of a normal quantity `distance` standard deviations from its median, per standard deviation.

    >>> round(standard_density(0.0), 6), round(standard_density(1.0), 6)
    (0.398942, 0.241971)
    """
    return exponential(distance * distance * -0.5) / ROOT_2_PI


def probability_above(distance: Any) -> Any:
    """Probability that a normal quantity exceeds a value `distance` standard deviations above its median.

    Abramowitz and Stegun, Handbook of Mathematical Functions, 26.2.17, off by at most 7.5e-8; mirrored by the sign of
    `distance`.

    >>> round(probability_above(NORMAL_QUANTILE_95), 6), round(probability_above(-NORMAL_QUANTILE_95), 6)
    (0.05, 0.95)
    """
    above_zero = size(distance) + SMALLEST
    t = 1 / (1 + 0.2316419 * above_zero)
    polynomial = t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
    tail = standard_density(distance) * polynomial
    return 0.5 + distance / above_zero * (tail - 0.5)


def covering(log_ratio: Any, log_sd: Any) -> Any:
    """Log standard deviation around the geometric mean of two estimates whose 90 % interval covers both of theirs.

    `log_ratio` is the logarithm of one over the other, positive; `log_sd` the larger of their log standard deviations.

    >>> round(high(2e20, covering(1.3862943611198906, 0.1)) / high(4e20, 0.1), 6)
    1.0
    """
    return log_ratio / 2 / NORMAL_QUANTILE_95 + log_sd
