"""Utilization of a case that was not measured, predicted from measurements: a log-normal (methods, section 6).

ln utilization is that of the family's default plus effects, each normal around 0 with a chosen standard deviation
(params.yaml, `calibrate`): an intercept, the network, the network on matrix or on vector units and at a precision, the
generation at a precision, the chip, the kind of run, and slopes along the logarithms of peak, chips, intensity and FLOP
per step. Cases with common traits have common effects, so a case with few measurements is predicted from similar cases;
without any the prediction is the default with a wide interval. Each source has an effect of its own, so a table of 200
rows weighs little more than one of 20. This is Gaussian-process regression in closed form (Rasmussen & Williams,
Gaussian Processes for Machine Learning, 2006, equations 2.25 and 2.26).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from pipeline.formulas.uncertainty import NORMAL_QUANTILE_95
from schemas.params import Calibrate

VECTOR_PRECISIONS = ("fp32", "fp64")
PEAK_ORIGIN_FLOP_PER_SECOND = 1e14
LEAST_SUM = 1e-9  # of what is known of a trait: less is what rounding leaves of a subtraction
DIGITS = 9  # decimals of a logarithm that are kept: results must not depend on the order of sums


@dataclass(frozen=True)
class Case:
    """Traits of a case.

    Peak is FLOP/s; intensity is forward FLOP per elementwise FLOP; work is forward FLOP per chip and step.

    None is unknown: the mean of the network's measurements is used, without effect on the prediction.
    """

    network: str
    precision: str
    generation: str | None
    hardware_id: str | None
    peak_flop_per_second: float
    chips: float | None
    run_kind: str
    default_utilization_fraction: float
    intensity: float | None = None
    work_flop: float | None = None


class Measured(NamedTuple):
    """A measurement: its case, its source and the measured utilization."""

    case: Case
    source: str
    utilization_fraction: float


class Band(NamedTuple):
    """A log-normal: its median and the standard deviation of its logarithm."""

    median: float
    log_sd: float

    @property
    def bounds(self) -> tuple[float, float, float]:
        """5 %, 50 % and 95 % points; a utilization is at most 1."""
        width = math.exp(NORMAL_QUANTILE_95 * self.log_sd)
        return min(self.median / width, 1.0), min(self.median, 1.0), min(self.median * width, 1.0)


def bands(measured: Sequence[Measured], cases: Sequence[Case], sizes: Calibrate) -> list[Band]:
    """The predicted utilization of each case in a measurement of a new source, given `measured`.

    One band a case, in their order.
    """
    if not cases:
        return []
    effects = _Effects([*(each.case for each in measured), *cases], sizes)
    evidence = _Evidence(measured, effects, sizes)
    return _bands(cases, effects.columns[len(measured) :], evidence.of(range(len(measured))), effects, sizes)


def bands_left_out(measured: Sequence[Measured], sizes: Calibrate) -> list[Band]:
    """The band of each measurement as those of the other sources predict it, in the order of `measured`.

    What a source says is subtracted from what all say, so that the time grows with the measurements and not with their
    cube a source.
    """
    effects = _Effects([each.case for each in measured], sizes)
    evidence = _Evidence(measured, effects, sizes)
    everything = evidence.of(range(len(measured)))
    places: dict[str, list[int]] = {}
    for place, each in enumerate(measured):
        places.setdefault(each.source, []).append(place)
    found: dict[int, Band] = {}
    for own in places.values():
        others = _Said(*(whole - part for whole, part in zip(everything, evidence.of(own), strict=True)))
        asked = [measured[place].case for place in own]
        found |= zip(own, _bands(asked, effects.columns[own], others, effects, sizes), strict=True)
    return [found[place] for place in range(len(measured))]


def nearest(measured: Sequence[Measured], case: Case, sizes: Calibrate, number: int) -> list[int]:
    """Indices of the `number` measurements with the least expected squared difference of effects from the case's.

    The nearest first.
    """
    effects = _Effects([*(each.case for each in measured), case], sizes)
    said = _Evidence(measured, effects, sizes).of(range(len(measured)))
    *known, own = effects.around(said, effects.columns)
    apart = ((np.array(known) - own) ** 2).sum(axis=1)
    return [int(place) for place in np.argsort(np.round(apart, DIGITS), kind="stable")[:number]]


def _bands(cases: Sequence[Case], columns: Any, said: "_Said", effects: "_Effects", sizes: Calibrate) -> list[Band]:
    prior = np.log([case.default_utilization_fraction for case in cases])
    asked = effects.around(said, columns)
    precision = np.eye(asked.shape[1]) + effects.around(said, effects.around(said, said.precision).T)
    solved = np.linalg.solve(precision, np.column_stack([effects.around(said, said.weighted[None, :])[0], asked.T]))
    median = prior + asked @ solved[:, 0]
    variance = np.einsum("ij,ji->i", asked, solved[:, 1:]) + sizes.source_sd**2 + sizes.residual_sd**2
    medians, widths = np.round(median, DIGITS), np.round(np.sqrt(variance), DIGITS)
    return [Band(math.exp(median), float(width)) for median, width in zip(medians, widths, strict=True)]


class _Effects:
    """Cases as rows of `columns`, an effect each, times its standard deviation.

    The covariance of two cases is the product of their rows.

    Slopes along three traits are from the mean of the network's measurements, which moves when some are left out. So
    their columns hold the logarithms, 0 where the trait is unknown, and after them whether it is known; `around` makes
    columns of effects of both.
    """

    def __init__(self, cases: Sequence[Case], sizes: Calibrate) -> None:
        network = [case.network for case in cases]
        unit = [f"{case.network} {case.precision not in VECTOR_PRECISIONS}" for case in cases]
        at_precision = [f"{case.network} {case.precision}" for case in cases]
        # An unknown generation or chip shares no effect.
        generation = [case.generation and f"{case.generation} {case.precision}" for case in cases]
        chip = [case.hardware_id and f"{case.network} {case.precision} {case.hardware_id}" for case in cases]
        log_peak = np.log([case.peak_flop_per_second / PEAK_ORIGIN_FLOP_PER_SECOND for case in cases])
        fixed = [
            np.full((len(cases), 1), sizes.intercept_sd),
            sizes.network_sd * _indicators(network),
            sizes.units_sd * _indicators(unit),
            sizes.generation_sd * _indicators(generation),
            sizes.precision_sd * _indicators(at_precision),
            sizes.chip_sd * _indicators(chip),
            sizes.run_sd * _indicators([case.run_kind for case in cases]),
            sizes.peak_slope_sd * _indicators(unit) * log_peak[:, None],
        ]
        slopes = {
            "chips": sizes.chips_slope_sd,
            "intensity": sizes.intensity_slope_sd,
            "work_flop": sizes.flop_per_step_slope_sd,
        }
        own = _indicators(network)
        self.networks = own.shape[1]
        logs, known = [], []
        for trait, sd in slopes.items():
            values = [getattr(case, trait) for case in cases]
            logs.append(sd * own * np.array([0.0 if value is None else math.log(value) for value in values])[:, None])
            known.append(sd * own * np.array([value is not None for value in values])[:, None])
        self.fixed = sum(each.shape[1] for each in fixed)
        self.columns = np.hstack([*fixed, *logs, *known])

    def around(self, said: "_Said", columns: Any) -> Any:
        """These columns with slopes from the means of what is said.

        From those of all networks where a network has no measurement.
        """
        half = (columns.shape[1] - self.fixed) // 2
        logs, known = columns[:, self.fixed : self.fixed + half], columns[:, self.fixed + half :]
        return np.hstack([columns[:, : self.fixed], logs - known * said.means(self)])


class _Said(NamedTuple):
    """What measurements say of the columns of effects.

    Their precision, values weighted by it, and sums of the columns themselves.
    """

    precision: Any
    weighted: Any
    totals: Any

    def means(self, effects: _Effects) -> Any:
        """The mean logarithm of each trait and network."""
        half = (len(self.totals) - effects.fixed) // 2
        logs, known = (part.reshape(-1, effects.networks) for part in np.split(self.totals[effects.fixed :], [half]))
        is_known = known > LEAST_SUM
        everywhere = logs.sum(axis=1) / np.maximum(known.sum(axis=1), LEAST_SUM)
        return np.where(is_known, logs / np.where(is_known, known, 1.0), everywhere[:, None]).ravel()


class _Evidence:
    """What measurements say. Errors of a source's are correlated, since each source has an effect of its own."""

    def __init__(self, measured: Sequence[Measured], effects: _Effects, sizes: Calibrate) -> None:
        self.sources = [each.source for each in measured]
        self.columns = effects.columns[: len(measured)]
        self.values = np.log([each.utilization_fraction / each.case.default_utilization_fraction for each in measured])
        self.sizes = sizes

    def of(self, places: Sequence[int]) -> _Said:
        """What these measurements say: whole sources."""
        own = _indicators([self.sources[place] for place in places])
        columns, values = self.columns[list(places)], self.values[list(places)]
        residual, source = self.sizes.residual_sd**2, self.sizes.source_sd**2
        # The inverse of residual * identity + source * ones, by blocks (Sherman & Morrison).
        weights = source / (residual * (residual + source * own.sum(axis=0)))
        sums, totals = own.T @ columns, own.T @ values
        precision = columns.T @ columns / residual - (sums * weights[:, None]).T @ sums
        weighted = columns.T @ values / residual - sums.T @ (weights * totals)
        return _Said(precision, weighted, columns.sum(axis=0))


def _indicators(words: Sequence[str | None]) -> Any:
    """A column a word: 1 in the rows that have it. None has no column."""
    known = sorted({word for word in words if word})
    return np.array([[1.0 if word == each else 0.0 for each in known] for word in words]).reshape(
        len(words), len(known)
    )
