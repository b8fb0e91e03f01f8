"""Errors of estimates in closed form (methods, sections 4 and 5).

`log_sd` and "spread" are the standard deviation of the natural logarithm: ln of the geometric standard deviation.
"""

import math
from typing import NamedTuple

NORMAL_QUANTILE_95 = 1.6448536269514722


def log_sd_of_interval(log_ratio: float) -> float:
    """Return a quantity's log_sd, given the natural logarithm of the ratio between the ends of its 90 % interval.

    >>> round(math.exp(2 * 1.645 * log_sd_of_interval(1.0)), 3)
    2.719
    """
    return log_ratio / (2 * NORMAL_QUANTILE_95)


def lomax_reach(probability: float, exponent: int = 2) -> float:
    """Return the distance of the quantile at a probability above 0.5 from the median, in `half` (methods, section 4).

    A count's error has a two-sided Lomax distribution: P(beyond y) = 1/2 (1 + y / half)**-exponent on each side. The
    exponent is 2, or 1 for counts from other people's tables, whose errors have a sharper peak and a heavier tail.

    >>> round(lomax_reach(0.95), 3), round(lomax_reach(0.95, 1), 3)
    (2.162, 9.0)
    """
    return float((2 * (1 - probability)) ** (-1 / exponent) - 1)


class Lomax(NamedTuple):
    """A two-sided Lomax error with the scale `half` on both sides; scale and distances are natural logarithms."""

    half: float
    exponent: int

    def distance(self, share: float) -> float:
        """Return the quantile at this share as a distance from the median, which is negative for shares below one half.

        >>> round(math.exp(Lomax(0.2, 1).distance(0.95)), 2)
        6.05
        """
        return math.copysign(self.half * lomax_reach(max(share, 1 - share), self.exponent), share - 0.5)
