"""How likely fitted values make the observed ratios of two methods, under the mixture of methods, section 4."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from pipeline.fitting.pairs import CLASSES, FORMATS, Pairs, Parts, Totals
from pipeline.formulas import mixture

Values = Mapping[str, float]


class Predicted(NamedTuple):
    """The distance of two methods of each pair, and its distribution: weights, means and standard deviations of normals."""

    distance: Any
    variance: Any
    components: list[tuple[Any, Any, Any]]

    def log_density(self) -> Any:
        """Logarithm of the density of each distance."""
        return np.log(mixture.density(self.distance, self.components))

    def share_below(self) -> Any:
        """Probability of a smaller distance than each pair's."""
        return mixture.share_below(self.distance, self.components)


def of_pairs(pairs: Pairs, values: Values) -> Predicted:
    """The pairs' distances, ln of GPU time over operations, at these values."""
    number = len(pairs.models)
    counted, of_count = _whole(pairs.counts, "examples", values, number)
    timed, of_time = _whole(pairs.times, "chip_seconds", values, number)
    rate = np.where(pairs.is_counted, values["counted"], values["not_counted"])
    foretold = _predicted(np.log(timed / counted), of_count + of_time, rate, values["gpu_time"], values)
    # At the chips' other format GPU time would be larger by that ratio: this one is then smaller than the count by as much.
    share, mean = pairs.other_share, -pairs.other_log_ratio
    own = [((1 - share) * weight, at, log_sd) for weight, at, log_sd in foretold.components]
    return foretold._replace(
        components=own + [(share * weight, mean, log_sd) for weight, _, log_sd in foretold.components]
    )


def of_totals(totals: Totals, values: Values) -> Predicted:
    """The totals' distances, ln of the authors' total over our count, at these values."""
    rate = np.where(totals.is_counted, values["counted"], values["not_counted"])
    variance = totals.variance + values["reported_operation_count"] ** 2
    return _predicted(totals.distance, variance, rate, values["reported"], values)


def _whole(parts: Parts, name: str, values: Values, number: int) -> tuple[Any, Any]:
    """FLOP of each pair, and the variance of its logarithm: parts are fully correlated, so their standard deviations are averaged by FLOP."""
    factor = np.array([*(values[f"production_{word}"] for word in FORMATS), 1.0])
    of_class = np.array([*(values[f"{name}_{word}"] ** 2 for word in CLASSES), 0.0])
    flop = parts.flop * factor[parts.format]
    of_utilization = (values["utilization_scale"] * parts.utilization_log_sd) ** 2
    log_sd = (parts.variance + of_class[parts.input_class] + of_utilization) ** 0.5
    whole = np.bincount(parts.pair, flop, number)
    return whole, (np.bincount(parts.pair, flop * log_sd, number) / whole) ** 2


def _predicted(distance: Any, variance: Any, first_rate: Any, second_rate: Any, values: Values) -> Predicted:
    error = values["gross_error"] ** 2
    weights = (
        (1 - first_rate) * (1 - second_rate),
        first_rate * (1 - second_rate) + (1 - first_rate) * second_rate,
        first_rate * second_rate,
    )
    return Predicted(
        distance,
        variance,
        [(weight, np.zeros_like(variance), (variance + n * error) ** 0.5) for n, weight in enumerate(weights)],
    )
