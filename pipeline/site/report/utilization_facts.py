"""Numbers of the utilization page: small aggregates of measured rows, each a query that a test can repeat."""

import math
from collections.abc import Callable, Iterable, Sequence
from statistics import median

from pipeline.site.report import Row

FAMILIES = {
    "language_transformer": "language transformers",
    "other_transformer": "other transformers",
    "dense_convolution": "dense convolutional networks",
    "depthwise_convolution": "networks of depthwise convolutions",
    "recurrent": "recurrent networks",
}
FULL_PRECISION = "fp32"
RIGHT_SHARE = 2 / 3


def measured(checks: Sequence[Row], measurements: Sequence[Row], hardware: Sequence[Row]) -> list[Row]:
    """Each measured row with its architecture and throughput, and its chip's name and generation."""
    stated = {(row["measurement_id"], row["row"]): row for row in measurements}
    chips = {row["hardware_id"]: row for row in hardware}
    return [
        {
            **row,
            **{
                key: stated[row["measurement_id"], row["row"]][key]
                for key in ("architecture_id", "examples_per_second")
            },
            "architecture": stated[row["measurement_id"], row["row"]]["architecture_id"].rsplit("/", 1)[-1],
            "chip": chips[row["hardware_id"]]["name"],
            "generation": chips[row["hardware_id"]]["generation"],
        }
        for row in checks
    ]


def is_near(found: float, value: float, near_ratio: float) -> bool:
    """Whether a utilization is within this factor of a value, either way.

    >>> is_near(0.2, 0.4, 2), is_near(0.81, 0.4, 2)
    (True, False)
    """
    return 1 / near_ratio <= found / value <= near_ratio


def share(rows: Iterable[Row], is_meant: Callable[[Row], bool]) -> float | None:
    """The share of rows that satisfy a condition; None without rows."""
    found = [is_meant(row) for row in rows]
    return sum(found) / len(found) if found else None


def typical_factor(errors: Iterable[float]) -> float | None:
    """The median of absolute log errors, as a factor.

    >>> typical_factor([0.0, math.log(2), 3.0])
    2.0
    """
    known = list(errors)
    return round(math.exp(median(known)), 12) if known else None


def verdict(shares: dict[float, float | None], middle: float, near_ratio: float) -> str:
    """The default values that two thirds of the rows are near; where none is, the direction of the error.

    >>> verdict({0.3: 0.5, 0.4: 0.9}, 0.5, 2), verdict({0.3: 1.0, 0.4: 0.7}, 0.3, 2), verdict({0.3: 0.0, 0.4: 0.1}, 0.02, 2)
    ('0.4', '0.3 or 0.4', 'neither: lower')
    """
    right = [f"{value:g}" for value, part in shares.items() if part is not None and part >= RIGHT_SHARE]
    if right:
        return " or ".join(right)
    below, above = (middle < min(shares) / near_ratio**0.5), (middle > max(shares) * near_ratio**0.5)
    return "neither: lower" if below else "neither: higher" if above else "neither: scattered"


def answers(cells: Sequence[Row], rows: Sequence[Row], values: Sequence[float], near_ratio: float) -> list[Row]:
    """The cells with the share of their rows near each default value, and the verdict."""
    found = []
    for cell in cells:
        own = [row for row in rows if all(row[key] == cell[key] for key in ("network", "precision", "generation"))]
        shares = {value: share(own, lambda row, value=value: is_near(row["measured_utilization_fraction"], value, near_ratio)) for value in values}  # fmt: skip
        found.append(
            {**cell, "shares": shares, "verdict": verdict(shares, cell["utilization_median_fraction"], near_ratio)}
        )
    return found


def backtests(tested: Sequence[Row], near_ratio: float) -> list[Row]:
    """Per family and in all: errors of the default and of the calibrated median, each source left out, and the interval's coverage."""
    families = [name for name in FAMILIES if any(row["network"] == name for row in tested)]
    groups = [(FAMILIES[name], [row for row in tested if row["network"] == name]) for name in families]
    return [_backtest(name, own, near_ratio) for name, own in [*groups, ("all", list(tested))] if own]


def _backtest(name: str, rows: Sequence[Row], near_ratio: float) -> Row:
    key = "measured_utilization_fraction"
    errors = {
        which: [abs(math.log(row[key] / row[f"{column}_fraction"])) for row in rows]
        for which, column in (("default", "default_utilization"), ("middle", "utilization_middle"))
    }
    return {
        "family": name,
        "rows": len(rows),
        "sources": len({row["measurement_id"] for row in rows}),
        **{f"{which}_factor": typical_factor(own) for which, own in errors.items()},
        **{f"{which}_near": sum(error <= math.log(near_ratio) for error in own) / len(own) for which, own in errors.items()},
        "covered": share(rows, lambda row: row["utilization_low_fraction"] <= row[key] <= row["utilization_high_fraction"]),
    }  # fmt: skip


def summary(rows: Sequence[Row]) -> Row:
    """How many rows of how many sources, their median and range, and how many are near their default."""
    found = [row["measured_utilization_fraction"] for row in rows]
    return {
        "rows": len(rows),
        "sources": len({row["measurement_id"] for row in rows}),
        "median": median(found) if found else None,
        "low": min(found, default=None),
        "high": max(found, default=None),
        "near": sum(row["is_within_factor_two"] for row in rows),
        "default": rows[0]["default_utilization_fraction"] if rows else None,
    }


def depthwise_against_dense(rows: Sequence[Row]) -> list[float]:
    """Median utilization of depthwise networks over that of dense ones, for each chip and precision where both were measured."""
    kinds = ("depthwise_convolution", "dense_convolution")
    places = sorted({(row["hardware_id"], row["precision"]) for row in rows if row["network"] == kinds[0]})
    pairs = [
        [
            [row["measured_utilization_fraction"] for row in rows if row["network"] == kind and (row["hardware_id"], row["precision"]) == place]
            for kind in kinds
        ]
        for place in places
    ]  # fmt: skip
    return [median(light) / median(dense) for light, dense in pairs if light and dense]


def faster_formats(rows: Sequence[Row]) -> list[Row]:
    """Dense CNNs timed in FP32 and in 16 bits or TF32 by one source on the same chips: how much the peak rose, and the speed."""
    dense = [row for row in rows if row["network"] == "dense_convolution"]
    places: dict[tuple, dict[str, list[Row]]] = {}
    for row in dense:
        key = tuple(row[name] for name in ("measurement_id", "architecture_id", "hardware_id", "chips"))
        places.setdefault(key, {}).setdefault(row["precision"], []).append(row)
    return [
        _pair(own[FULL_PRECISION], own[precision], key, precision)
        for key, own in places.items()
        if FULL_PRECISION in own
        for precision in sorted(own)
        if precision != FULL_PRECISION
    ]


def _pair(slow: Sequence[Row], fast: Sequence[Row], key: tuple, precision: str) -> Row:
    speed = median(row["examples_per_second"] for row in fast) / median(row["examples_per_second"] for row in slow)
    used = [median(row["measured_utilization_fraction"] for row in own) for own in (slow, fast)]
    peaks = [median(row["examples_per_second"] / row["measured_utilization_fraction"] for row in own) for own in (slow, fast)]  # fmt: skip
    return {"architecture": key[1].rsplit("/", 1)[-1], "hardware_id": key[2], "precision": precision, "speed": speed,
            "peak": peaks[1] / peaks[0], "full": used[0], "fast": used[1]}  # fmt: skip


def above_peak(rows: Sequence[Row]) -> list[Row]:
    """Rows whose counted operations exceed the chip's peak, highest first."""
    over = [row for row in rows if row["measured_utilization_fraction"] > 1]
    return sorted(over, key=lambda row: (-row["measured_utilization_fraction"], row["measurement_id"], row["row"]))
