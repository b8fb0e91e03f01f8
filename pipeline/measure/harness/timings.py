"""Statistics of repeated timings: medians and quartiles, because a slow outlier belongs to the machine and not to the network."""

from collections.abc import Sequence
from statistics import median, quantiles
from typing import Any

Summary = dict[str, Any]


def summary(seconds: Sequence[float]) -> Summary | None:
    """Median, quartiles, minimum and number of timings in seconds, with the timings themselves; None where there are none.

    >>> timing = summary([3.0, 1.0, 2.0, 10.0])
    >>> timing["median_seconds"], timing["low_quartile_seconds"], timing["high_quartile_seconds"], timing["repeats"]
    (2.5, 1.75, 4.75, 4)
    """
    if not seconds:
        return None
    low, _, high = quantiles(seconds, n=4, method="inclusive") if len(seconds) > 1 else [seconds[0]] * 3
    return {
        "median_seconds": median(seconds),
        "low_quartile_seconds": low,
        "high_quartile_seconds": high,
        "minimum_seconds": min(seconds),
        "repeats": len(seconds),
        "all_seconds": list(seconds),
    }


def median_seconds(timing: dict[str, Any] | None) -> float | None:
    """The median of a timing, by device events where there are any, else by the wall clock; None where there is neither.

    >>> median_seconds({"events": None, "wall": summary([2.0, 4.0])})
    3.0
    """
    clock = (timing or {}).get("events") or (timing or {}).get("wall")
    return clock["median_seconds"] if clock else None


def ratio(above: float | None, below: float | None) -> float | None:
    """`above` / `below`; None where one is absent or `below` is 0: unknown is not zero.

    >>> ratio(3.0, 2.0), ratio(None, 2.0), ratio(1.0, 0.0)
    (1.5, None, None)
    """
    return above / below if above is not None and below else None
