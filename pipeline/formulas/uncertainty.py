"""Log-normal spreads in closed form (methods.md, section 5). A spread is the logarithm of a geometric standard deviation."""

from math import e
from typing import Any

NORMAL_QUANTILE_95 = 1.6448536269514722


def variance(*log_spreads: Any) -> Any:
    """Variance of the logarithm of a product of independent inputs: the sum of squares.

    >>> variance(3.0, 4.0)
    25.0
    """
    return sum(spread**2 for spread in log_spreads)


def spread(variance: Any) -> Any:
    """Spread of a quantity from the variance of its logarithm.

    >>> spread(25.0)
    5.0
    """
    return variance**0.5


def spread_of_sum(width: Any, total: Any) -> Any:
    """Spread of a sum of fully correlated parts: `width` is the sum of amount x spread, `total` that of the amounts.

    >>> spread_of_sum(3.0 * 0.5 + 1.0 * 0.1, 4.0)
    0.4
    """
    return width / total


def low(middle: Any, log_spread: Any) -> Any:
    """The 5 % bound around `middle`.

    A geometric standard deviation of 2 puts it a factor of 2**1.645 = 3.127 below:

    >>> round(1e20 / low(1e20, 0.6931471805599453), 3)
    3.127
    """
    return middle * e ** (-NORMAL_QUANTILE_95 * log_spread)


def high(middle: Any, log_spread: Any) -> Any:
    """The 95 % bound around `middle`.

    >>> round(high(1e20, 0.6931471805599453) / 1e20, 3)
    3.127
    """
    return middle * e ** (NORMAL_QUANTILE_95 * log_spread)
