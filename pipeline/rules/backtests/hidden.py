"""A known value and the value that would be used if it were unknown."""

import math
from typing import NamedTuple

from pipeline.formulas.uncertainty import high, logistic_ends, lomax_ends, low
from pipeline.sql import Row

PHASE = ("model_id", "phase")
ALLOCATION = (*PHASE, "allocation")


class Hidden(NamedTuple):
    """A known value and the one that a rule imputes in its place, with the ends of the latter's 90 % interval."""

    quantity: str
    rule: str
    model_id: str
    published_year: int
    known_value: float
    filled_value: float
    ends: tuple[float, float]
    phase: str | None = None
    allocation: int | None = None
    place: str = "total"

    @property
    def log_error(self) -> float:
        """ln(filled_value / known_value)."""
        return math.log(self.filled_value / self.known_value)

    @property
    def is_in_interval(self) -> bool:
        """Whether the 90 % interval around `filled_value` contains the known value."""
        return self.ends[0] <= self.known_value <= self.ends[1]

    def shown(self) -> Row:
        """The row of table `imputation_backtests`."""
        ends = {"filled_low": self.ends[0], "filled_high": self.ends[1]}
        return {**self._asdict(), **ends, "log_error": self.log_error, "is_in_interval": self.is_in_interval}


class Widths(NamedTuple):
    """How far estimates are off: the halves of a count and of a GPU time (methods, section 4)."""

    stated: float
    weak: float
    gpu_time_up: float
    gpu_time_down: float
    whole_run: float

    def of_count(self, filled: float, is_stated: bool = False) -> tuple[float, float]:
        """Ends of a count's 90 % interval, FLOP or examples."""
        half = self.stated if is_stated else self.weak
        return lomax_ends(filled, half, half)

    def of_time(self, filled: float) -> tuple[float, float]:
        """Ends of the 90 % interval of a GPU time, FLOP."""
        return logistic_ends(filled, self.gpu_time_up, self.gpu_time_down)


def of_log_sd(filled: float, log_sd: float) -> tuple[float, float]:
    """Ends of the 90 % interval of a log-normal."""
    return low(filled, log_sd), high(filled, log_sd)


def of_phase(quantity: str, rule: str, row: Row, known: float, filled: float, ends: tuple[float, float]) -> Hidden:
    """A fact of a phase; `row` has its keys and the model's year."""
    return Hidden(
        quantity, rule, row["model_id"], row["published_year"], known, filled, ends, row["phase"], place=row["phase"]
    )


def of_allocation(quantity: str, rule: str, row: Row, known: float, filled: float, ends: tuple[float, float]) -> Hidden:
    """A fact of an allocation of chips; `row` has its keys and the model's year."""
    place = f"{row['phase']}/{row['allocation']}"
    of_phase_row = of_phase(quantity, rule, row, known, filled, ends)
    return of_phase_row._replace(allocation=row["allocation"], place=place)


def of_model(
    quantity: str, rule: str, row: Row, known: float, filled: float, ends: tuple[float, float], place: str = "total"
) -> Hidden:
    """A figure of a whole model; `row` has its id and year."""
    return Hidden(quantity, rule, row["model_id"], row["published_year"], known, filled, ends, place=place)
