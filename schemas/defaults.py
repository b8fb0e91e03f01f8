"""The schema of defaults: values for missing facts, geometric standard deviations, and peaks of unknown chips by year."""

from typing import Annotated

from pydantic import Field

from schemas import vocabulary
from schemas.facts import Seen
from schemas.limits import LARGEST_FLOP, LARGEST_PEAK_FLOP_PER_SECOND, LAST_YEAR
from schemas.strict import Strict

SHARES = ("utilization",)  # quantities whose values are at most 1


class Default(Seen):
    """A value used if a fact is missing, and the case to which it applies."""

    applies_to: str
    value: Annotated[float, Field(gt=0, lt=LARGEST_FLOP, allow_inf_nan=False)]
    spread: Annotated[float | None, Field(ge=1, lt=1e4, allow_inf_nan=False)] = None
    basis: vocabulary.Basis = Field(strict=False)


class Spread(Seen):
    """Geometric standard deviation of an input."""

    applies_to: str
    spread: Annotated[float, Field(ge=1, lt=1e4, allow_inf_nan=False)]
    basis: vocabulary.Basis = Field(strict=False)


class YearPeak(Seen):
    """Peak of an unknown chip in a year, and the number of models averaged; None if the peak comes from the fit."""

    year: Annotated[int, Field(ge=1990, le=LAST_YEAR)]
    value: Annotated[float, Field(gt=1e6, lt=LARGEST_PEAK_FLOP_PER_SECOND, allow_inf_nan=False)]
    spread: Annotated[float | None, Field(ge=1, lt=1e4, allow_inf_nan=False)] = None
    models: Annotated[int | None, Field(gt=0)] = None


class PeakFit(Seen):
    """log10 peak = intercept + slope x (year - origin), for years with too few models."""

    intercept: Annotated[float, Field(allow_inf_nan=False)]
    slope: Annotated[float, Field(allow_inf_nan=False)]
    origin: int
    first_year: int
    spread: Annotated[float, Field(ge=1, lt=1e4, allow_inf_nan=False)]


class YearPeakSeries(Strict):
    """Peaks by year for one kind of precision."""

    fit: PeakFit
    years: list[YearPeak]
