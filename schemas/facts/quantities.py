"""Facts of one quantity each, in its units."""

from pydantic import Field

from schemas import units, vocabulary
from schemas.facts.seen import Date, Fact, Seen
from schemas.limits import (
    LARGEST_PEAK_FLOP_PER_SECOND,
    LARGEST_STATED_FLOP,
    LEAST_EPOCHS,
    LEAST_UTILIZATION,
    MOST_EPOCHS,
)


class Count(Fact):
    """A number of whole things."""

    smallest = 1.0
    largest = 1e20


class Parameters(Fact):
    """A number of parameters."""

    smallest = 1.0
    largest = 1e16


class Epochs(Fact):
    """Passes over a data set."""

    smallest = LEAST_EPOCHS
    largest = MOST_EPOCHS


class Length(Fact):
    """Positions of a sequence."""

    smallest = 1.0
    largest = 1e9


class Chips(Fact):
    """A number of chips."""

    smallest = 1.0
    largest = 1e7


class Dies(Fact):
    """Cores or dies on one chip."""

    smallest = 1.0
    largest = 64


class Fraction(Fact):
    """A share between 0 and 1."""

    smallest = LEAST_UTILIZATION
    largest = 1.0


class Duration(Fact):
    """Wall-clock time."""

    unit = "second"
    example_unit = "day"
    smallest = 1.0
    largest = 20 * 366 * units.DAY_SECONDS


class StepTime(Duration):
    """Time of one update."""

    example_unit = "second"
    smallest = 1e-6
    largest = units.DAY_SECONDS


class ChipTime(Fact):
    """Chip time as reported; in cores where the publication counts cores."""

    unit = "chip_second"
    example_unit = "chip_day"
    alternative_units = ("core_second",)
    smallest = 1.0
    largest = 1e16


class Flop(Fact):
    """Operations, a multiply-add being two."""

    unit = "flop"
    example_unit = "FLOP"
    smallest = 1.0
    largest = LARGEST_STATED_FLOP


class Peak(Fact):
    """Dense peak of one chip."""

    unit = "flop_per_second"
    example_unit = "FLOP/s"
    smallest = 1e6
    largest = LARGEST_PEAK_FLOP_PER_SECOND / 10


class Memory(Fact):
    """Memory of one chip."""

    unit = "byte"
    example_unit = "GB"
    smallest = 1e3
    largest = 1e14


class Bandwidth(Fact):
    """Bandwidth of one chip's memory."""

    unit = "byte_per_second"
    example_unit = "gigabyte_per_second"
    smallest = 1e3
    largest = 1e16


class Power(Fact):
    """Thermal design power of one chip."""

    unit = "watt"
    example_unit = "W"
    smallest = 1e-3
    largest = 1e5


class Energy(Fact):
    """Electrical energy, as the authors state it."""

    unit = "watt_hour"
    example_unit = "MWh"
    smallest = 1e-3
    largest = 1e14


class Mass(Fact):
    """Greenhouse gases, carbon dioxide or its equivalent."""

    unit = "gram"
    example_unit = "t"
    smallest = 1e-3
    largest = 1e14


class Usd(Fact):
    """An amount of US dollars of its day; other currencies are not converted."""

    unit = "usd"
    example_unit = "usd"
    smallest = 1e-3
    largest = 1e7


class Clock(Fact):
    """Clock frequency."""

    unit = "hertz"
    example_unit = "MHz"
    smallest = 1e3
    largest = 1e11


class Throughput(Fact):
    """Examples a second, all chips together."""

    unit = "image_per_second"
    example_unit = "image_per_second"
    alternative_units = ("sequence_per_second", "token_per_second")
    smallest = 1e-9
    largest = 1e12


class Word(Seen):
    """A fact that is a word."""

    value: str

    @property
    def written(self) -> str:
        """The value as the record writes it."""
        return self.value


class PrecisionWord(Word):
    """A number format."""

    value: vocabulary.Precision = Field(strict=False)


class DateWord(Word):
    """A date."""

    value: Date


class Utilization(Fraction):
    """A stated share of the peak: model FLOP (mfu), hardware FLOP with recomputation (hfu), or a source's own judgement."""

    kind: vocabulary.UtilizationKind = Field(strict=False)
