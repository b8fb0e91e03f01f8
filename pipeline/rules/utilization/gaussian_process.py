"""Predict the utilization of an unmeasured case from measurements, as a log-normal (methods, section 6).

ln utilization is ln of the family's default plus effects. Each effect is normal around 0 with a chosen standard
deviation (params.yaml, `calibrate`); models/macros_of_cases.sql defines the effects of a case. Cases with common traits
share effects, so a case with few measurements is predicted from similar cases. If there are no measurements at all, the
prediction is the default with a wide interval. Each source has its own effect, so a table of 200 rows weighs little
more than one of 20. This is Gaussian-process regression in closed form (Rasmussen & Williams, Gaussian Processes for
Machine Learning, 2006, equations 2.11, 2.25 and 2.26). The fit is the table `utilization_model`, from which
models/utilizations.sql predicts; this module predicts only measurements, with their own source left out.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from pipeline.formulas.uncertainty import NORMAL_QUANTILE_95
from schemas.params import Calibrate

LEAST_SUM = 1e-9  # smallest sum over a trait's measurements; below it, a sum is only rounding error from subtraction
MODEL_COLUMNS = ("effect", "other_effect", "covariance", "coefficient", "origin_size")
DIGITS = 9  # decimals to which logarithms are rounded, so that the order of summation does not change results


class Case(NamedTuple):
    """A case: its effects by name (in standard deviations), which of them are slopes, and its default utilization."""

    effects: Mapping[str, float]
    slopes: frozenset[str]
    default_utilization_fraction: float


class Measured(NamedTuple):
    """A measurement: its case, its source and its utilization."""

    case: Case
    source: str
    utilization_fraction: float


class Band(NamedTuple):
    """A log-normal distribution: its median and the standard deviation of its logarithm."""

    median: float
    log_sd: float

    @property
    def bounds(self) -> tuple[float, float, float]:
        """Return the 5 %, 50 % and 95 % points; a utilization is at most 1."""
        width = math.exp(NORMAL_QUANTILE_95 * self.log_sd)
        return min(self.median / width, 1.0), min(self.median, 1.0), min(self.median * width, 1.0)


def fit(measured: Sequence[Measured], sizes: Calibrate) -> Iterator[dict[str, Any]]:
    """Yield the rows of `utilization_model`: the posterior covariance of each pair of effects, given `measured`.

    Covariances are in units of prior standard deviations. The row that pairs an effect with itself also has the
    effect's mean and, for a slope, its origin. The last rows name only a trait, and give the origin of its slope for
    networks in which the trait was not measured.
    """
    effects = _Effects([measurement.case for measurement in measured])
    sums = _Evidence(measured, effects, sizes).sums_of(range(len(measured)))
    origins, everywhere = effects.origins(sums)
    covariances = np.linalg.inv(effects.precision(sums))
    means = covariances @ effects.centred(origins, sums.weighted[None, :])[0]
    own_origins = dict(zip(effects.names[effects.fixed :], origins, strict=True))
    order = sorted(range(len(effects.names)), key=effects.names.__getitem__)
    for number, first in enumerate(order):
        for second in order[number:]:
            pair = effects.names[first], effects.names[second]
            is_variance = first == second
            origin = own_origins.get(pair[0]) if is_variance else None
            yield _row(*pair, covariances[first, second], means[first] if is_variance else None, origin)
    for trait, origin in dict(zip(effects.traits, everywhere, strict=True)).items():
        yield _row(str(trait), str(trait), 1.0, 0.0, origin)


def _row(*values: Any) -> dict[str, Any]:
    rounded = (_round(value) if isinstance(value, float) else value for value in values)
    return dict(zip(MODEL_COLUMNS, rounded, strict=True))


def bands(measured: Sequence[Measured], cases: Sequence[Case], sizes: Calibrate) -> list[Band]:
    """Return the predicted utilization of each case, as measured by a new source, given `measured`."""
    effects = _Effects([*(measurement.case for measurement in measured), *cases])
    evidence = _Evidence(measured, effects, sizes)
    return _bands(cases, effects.columns[len(measured) :], evidence.sums_of(range(len(measured))), effects, sizes)


def bands_left_out(measured: Sequence[Measured], sizes: Calibrate) -> list[Band]:
    """Return the prediction of each measurement from all other sources, in the order of `measured`.

    Each source's sums are subtracted from the sums of all sources. So the time is linear in the number of measurements,
    not cubic for each source.
    """
    effects = _Effects([measurement.case for measurement in measured])
    evidence = _Evidence(measured, effects, sizes)
    everything = evidence.sums_of(range(len(measured)))
    places: dict[str, list[int]] = {}
    for place, measurement in enumerate(measured):
        places.setdefault(measurement.source, []).append(place)
    band_by_place: dict[int, Band] = {}
    for group in places.values():
        other_sums = _Sums(*(whole - part for whole, part in zip(everything, evidence.sums_of(group), strict=True)))
        cases = [measured[place].case for place in group]
        band_by_place |= zip(group, _bands(cases, effects.columns[group], other_sums, effects, sizes), strict=True)
    return [band_by_place[place] for place in range(len(measured))]


def _bands(cases: Sequence[Case], columns: Any, sums: "_Sums", effects: "_Effects", sizes: Calibrate) -> list[Band]:
    """Return the predicted utilization of each case, with its effects in `columns`, from `sums` over measurements."""
    prior = np.log([case.default_utilization_fraction for case in cases])
    origins, _ = effects.origins(sums)
    case_columns, weighted = effects.centred(origins, columns), effects.centred(origins, sums.weighted[None, :])[0]
    solved = np.linalg.solve(effects.precision(sums), np.column_stack([weighted, case_columns.T]))
    median = prior + case_columns @ solved[:, 0]
    variance = np.einsum("ij,ji->i", case_columns, solved[:, 1:]) + sizes.source_sd**2 + sizes.residual_sd**2
    return [Band(math.exp(_round(log)), _round(sd)) for log, sd in zip(median, np.sqrt(variance), strict=True)]


def _round(value: float) -> float:
    return round(float(value), DIGITS) + 0.0  # turns -0.0 into 0.0


class _Effects:
    """Cases as rows of `columns`, one column per effect; the covariance of two cases is the product of their rows.

    A slope is measured from the mean of the measurements, which changes if some are left out. So each slope has two
    columns: its size (0 if the trait is unknown), and whether the trait is known. `centred` combines the two.
    """

    def __init__(self, cases: Sequence[Case]) -> None:
        """Index the effects, slopes last, and write the sizes of each case's effects into `columns`.

        After them, `columns` has one more column per slope: 1 if the case's trait is known, otherwise 0.
        """
        slopes = sorted(set().union(*(case.slopes for case in cases)))
        fixed = sorted(set().union(*(case.effects for case in cases)) - {*slopes})
        self.names, self.fixed = [*fixed, *slopes], len(fixed)
        self.traits = np.array([name.partition(" ")[0] for name in slopes], dtype=str)
        place = {name: number for number, name in enumerate(self.names)}
        self.columns = np.zeros((len(cases), len(self.names) + len(slopes)))
        for row, case in enumerate(cases):
            for name, size in case.effects.items():
                self.columns[row, place[name]] = size
            for name in case.slopes:
                self.columns[row, place[name] + len(slopes)] = 1.0

    def origins(self, sums: "_Sums") -> tuple[Any, Any]:
        """Return the mean size of each slope (or of its trait, if unmeasured), and each trait's overall mean."""
        sizes, known = np.split(sums.totals[self.fixed :], 2)
        is_same = np.equal.outer(self.traits, self.traits).astype(float)
        everywhere = (is_same @ sizes) / np.maximum(is_same @ known, LEAST_SUM)
        is_known = known > LEAST_SUM
        return np.where(is_known, sizes / np.where(is_known, known, 1.0), everywhere), everywhere

    def centred(self, origins: Any, columns: Any) -> Any:
        """Return these columns with slopes measured from their origins."""
        sizes, known = np.split(columns[:, self.fixed :], 2, axis=1)
        return np.hstack([columns[:, : self.fixed], sizes - known * origins])

    def precision(self, sums: "_Sums") -> Any:
        """Return the precision matrix (inverse covariance) of the effects, given the measurements."""
        origins, _ = self.origins(sums)
        return np.eye(len(self.names)) + self.centred(origins, self.centred(origins, sums.precision).T)


class _Sums(NamedTuple):
    """Sums over measurements, from which effects are estimated; sums over disjoint sources can be added and subtracted.

    With columns X, values y and S the covariance of their errors: X' S^-1 X, X' S^-1 y, and the sum of each column.
    """

    precision: Any
    weighted: Any
    totals: Any


class _Evidence:
    """The measurements as arrays. Errors within a source are correlated, because each source has its own effect."""

    def __init__(self, measured: Sequence[Measured], effects: _Effects, sizes: Calibrate) -> None:
        self.sources = [measurement.source for measurement in measured]
        self.columns = effects.columns[: len(measured)]
        self.values = np.log([row.utilization_fraction / row.case.default_utilization_fraction for row in measured])
        self.sizes = sizes

    def sums_of(self, places: Sequence[int]) -> _Sums:
        """Return the sums over the measurements at these indices, which must cover whole sources."""
        names = sorted({self.sources[place] for place in places})
        # One row per measurement, one column per source; the reshape handles empty `places`.
        membership = np.array([[float(self.sources[place] == name) for name in names] for place in places])
        membership = membership.reshape(len(places), len(names))
        columns, values = self.columns[list(places)], self.values[list(places)]
        residual, source = self.sizes.residual_sd**2, self.sizes.source_sd**2
        # The covariance has one block per source, residual * identity + source * ones; the inverse follows from
        # Sherman-Morrison.
        weights = source / (residual * (residual + source * membership.sum(axis=0)))
        source_columns, source_values = membership.T @ columns, membership.T @ values
        precision = columns.T @ columns / residual - (source_columns * weights[:, None]).T @ source_columns
        weighted = columns.T @ values / residual - source_columns.T @ (weights * source_values)
        return _Sums(precision, weighted, columns.sum(axis=0))
