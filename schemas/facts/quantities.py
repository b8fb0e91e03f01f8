"""Kinds of facts, each with its quantity and units."""

from pydantic import Field

from schemas import units, vocabulary
from schemas.facts.evidence import Date, Fact, Seen
from schemas.limits import (
    LARGEST_PEAK_FLOP_PER_SECOND,
    LARGEST_STATED_FLOP,
    LEAST_EPOCHS,
    LEAST_UTILIZATION,
    MOST_EPOCHS,
)


class Count(Fact, smallest=1.0, largest=1e20):
    """A number of things, such as examples or steps."""


class Parameters(Fact, smallest=1.0, largest=1e16):
    """A number of parameters."""


class Epochs(Fact, smallest=LEAST_EPOCHS, largest=MOST_EPOCHS):
    """Passes over a data set."""


class Length(Fact, smallest=1.0, largest=1e9):
    """Number of positions in a sequence."""


class Chips(Fact, smallest=1.0, largest=1e7):
    """A number of chips."""


class Dies(Fact, smallest=1.0, largest=64):
    """Cores or dies on one chip."""


class Fraction(Fact, smallest=LEAST_UTILIZATION, largest=1.0):
    """A share between 0 and 1."""


class Overhead(Fact, smallest=1.0, largest=5.0):
    """Energy of a data centre divided by the energy of its servers (PUE)."""


class Duration(Fact, unit="second", example_unit="day", smallest=1.0, largest=20 * 366 * units.DAY_SECONDS):
    """Wall-clock time."""


class StepTime(Duration, example_unit="second", smallest=1e-6, largest=units.DAY_SECONDS):
    """Time per update."""


class ChipTime(
    Fact, unit="chip_second", example_unit="chip_day", alternative_units=("core_second",), smallest=1.0, largest=1e16
):
    """Chip time as reported: core time if the publication counts cores."""


class Flop(Fact, unit="flop", example_unit="FLOP", smallest=1.0, largest=LARGEST_STATED_FLOP):
    """Operations; a multiply-add counts as two."""


class Peak(
    Fact, unit="flop_per_second", example_unit="FLOP/s", smallest=1e6, largest=LARGEST_PEAK_FLOP_PER_SECOND / 10
):
    """Dense peak of one chip."""


class Memory(Fact, unit="byte", example_unit="GB", smallest=1e3, largest=1e14):
    """Memory of one chip."""


class Bandwidth(Fact, unit="byte_per_second", example_unit="gigabyte_per_second", smallest=1e3, largest=1e16):
    """Bandwidth of one chip's memory."""


class Power(Fact, unit="watt", example_unit="W", smallest=1e-3, largest=1e5):
    """Thermal design power of one chip."""


class Energy(Fact, unit="watt_hour", example_unit="MWh", smallest=1e-3, largest=1e14):
    """Electrical energy stated by the authors."""


class Mass(Fact, unit="gram", example_unit="t", smallest=1e-3, largest=1e14):
    """Mass of greenhouse gases, as carbon dioxide or its equivalent."""


class Cost(Fact, unit="usd", example_unit="usd", smallest=1e-3, largest=1e12):
    """What a training run cost, in nominal US dollars."""


class Usd(Fact, unit="usd", example_unit="usd", smallest=1e-3, largest=1e7):
    """An amount in nominal US dollars; other currencies are refused, because we do not convert them."""


class Clock(Fact, unit="hertz", example_unit="MHz", smallest=1e3, largest=1e11):
    """Clock frequency."""


class Throughput(
    Fact,
    unit="image_per_second",
    example_unit="image_per_second",
    alternative_units=("sequence_per_second", "token_per_second"),
    smallest=1e-9,
    largest=1e12,
):
    """Examples per second over all chips."""


class Word(Seen):
    """A fact whose value is a word."""

    value: str

    @property
    def written(self) -> str:
        """Return the value as written in the record."""
        return self.value


class PrecisionWord(Word):
    """A precision: the format of numbers."""

    value: vocabulary.Precision = Field(strict=False)


class DateWord(Word):
    """A date."""

    value: Date


class Utilization(Fraction):
    """A stated share of the peak: model FLOP (mfu), hardware FLOP with recomputation (hfu), or a source's judgement."""

    kind: vocabulary.UtilizationKind = Field(strict=False)
