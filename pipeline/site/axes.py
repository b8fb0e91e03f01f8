"""Positions on a log axis, for the values and intervals that pages draw as bars."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from pipeline.site import numbers
from schemas.vocabulary import THRESHOLDS

MOST_TICKS = 6


class Spot(NamedTuple):
    """The low end, width and median of an interval, as percentages of the axis's length."""

    low: float
    width: float
    middle: float


class Mark(NamedTuple):
    """A tick on an axis."""

    place: float
    label: str


class Axis(NamedTuple):
    """A log axis between two values, with its ticks and the thresholds within its range."""

    low: float
    high: float
    ticks: list[Mark]
    limits: list[Mark]

    @property
    def words(self) -> str:
        """Return the two ends as text."""
        return f"{_power(self.low)} to {_power(self.high)}"

    @property
    def decades(self) -> int:
        """Return the number of powers of ten between the ends."""
        return round(math.log10(self.high / self.low))

    def spot(self, middle: float, low: float | None = None, high: float | None = None) -> Spot:
        """Return the position of a value, and of its interval if it has one."""
        place = numbers.position(middle, self.low, self.high)
        if low is None or high is None:
            return Spot(place, 0, place)
        first = numbers.position(low, self.low, self.high)
        return Spot(first, round(numbers.position(high, self.low, self.high) - first, 2), place)


def axis(values: Sequence[float]) -> Axis:
    """Return an axis of whole powers of ten that contains these values.

    >>> axis([2e23, 4e24]).words
    '10²³ to 10²⁵'
    """
    low = math.floor(math.log10(min(values, default=1.0)))
    high = max(low + 1, math.ceil(math.log10(max(values, default=10.0))))
    return axis_of(10.0**low, 10.0**high)


def axis_of(low: float, high: float) -> Axis:
    """Return an axis between two powers of ten."""
    first, last = round(math.log10(low)), round(math.log10(high))
    step = max(1, math.ceil((last - first) / MOST_TICKS))
    ticks = [Mark(numbers.position(10.0**n, low, high), _power(10.0**n)) for n in range(first, last + 1, step)]
    inside = [threshold.flop for threshold in THRESHOLDS if low < threshold.flop < high]
    limits = [Mark(numbers.position(flop, low, high), _power(flop)) for flop in inside]
    return Axis(low, high, ticks, limits)


def _power(value: float) -> str:
    return f"10{str(round(math.log10(value))).translate(numbers.RAISED)}"
