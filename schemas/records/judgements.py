"""Records of defaults, errata, adjudications, second readings and retired ids."""

import re
from functools import cached_property
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from schemas import vocabulary
from schemas.base_model import Strict
from schemas.facts import Date, Fact, Flop, Place, QuotedWords, Seen, Source, Text, mistake
from schemas.limits import LARGEST_FLOP, LARGEST_PEAK_FLOP_PER_SECOND, LAST_YEAR
from schemas.records.parts import Identifier, Positive, Record

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
    """Peak of an unknown chip in a year, and the number of models averaged (None if the peak comes from the fit)."""

    year: Annotated[int, Field(ge=1990, le=LAST_YEAR)]
    value: Annotated[float, Field(gt=1e6, lt=LARGEST_PEAK_FLOP_PER_SECOND, allow_inf_nan=False)]
    spread: Annotated[float, Field(ge=1, lt=1e4, allow_inf_nan=False)]
    models: Annotated[int | None, Field(gt=0)] = None


class PeakFit(Seen):
    """log10 peak = intercept + slope x (year - origin), for years with too few models."""

    intercept: Annotated[float, Field(allow_inf_nan=False)]
    slope: Annotated[float, Field(allow_inf_nan=False)]
    origin: int
    first_year: int
    spread: Annotated[float, Field(ge=1, lt=1e4, allow_inf_nan=False)]


class YearPeakSeries(Strict):
    """Peaks by year for one kind of precision, or in 16 bits for an owner that builds its own chips, without a fit."""

    fit: PeakFit | None = None
    years: list[YearPeak]


class Defaults(Record):
    """Values used for missing facts, one quantity per file."""

    quantity: str
    values: list[Default] = []
    spreads: list[Spread] = []
    series: dict[str, YearPeakSeries] = {}


class Erratum(Record):
    """A published figure that contradicts its own factors."""

    model: str | None = None
    is_reported_flop: bool = False
    figure: str
    published_value: Flop
    factors: str
    corrected_value: Flop
    explanation: str


class Sampled(Strict):
    """The number of values drawn from a stratum (`drawn`), and the number that it contains (`of`)."""

    drawn: Annotated[int, Field(gt=0)]
    of: Annotated[int, Field(gt=0)]

    @model_validator(mode="after")
    def _has_as_many(self) -> Self:
        if self.drawn > self.of:
            raise mistake(f"drawn ({self.drawn}) is more than of ({self.of})")
        return self

    @property
    def weight(self) -> float:
        """Return the number of values that each drawn value represents."""
        return self.of / self.drawn


class Drawn(Strict):
    """The draw of the values to adjudicate, from all tables together."""

    how: Text
    far: Sampled
    near: Sampled

    def weight(self, stratum: vocabulary.Stratum) -> float:
        """Return the number of values that each drawn value of a stratum represents."""
        return (self.far if stratum == vocabulary.Stratum.FAR else self.near).weight


class Adjudication(Seen):
    """One published value, checked against its sources. The evidence is quotes, or table cells named by `via`."""

    name: Annotated[str, Field(min_length=1)]  # exactly as in the table
    snapshot: str
    stratum: vocabulary.Stratum = Field(strict=False)
    published_flop: Positive
    corrected_flop: Positive | None  # None if the published value belongs to another model
    reason: vocabulary.Fault | None = Field(strict=False)  # None if no mistake was found
    certainty: vocabulary.Certainty = Field(strict=False)  # while the finding is open, we keep the published value
    factors: str | None = None
    note: Text

    @property
    def written(self) -> str:
        """Return the finding as readers see it."""
        corrected = "another artefact" if self.corrected_flop is None else f"{self.corrected_flop:.6g} flop"
        return f"{self.published_flop:.6g} flop -> {corrected}"


class BlindFigure(Strict):
    """One row of blind_test.csv: Epoch AI's figure for a model that was sealed before, and what its sources decide."""

    model_id: Identifier
    stated_flop: Positive
    compared_scope: vocabulary.ComparedScope = Field(strict=False)
    verdict: vocabulary.Verdict = Field(strict=False)
    decided_by: vocabulary.DecidedBy | None = Field(default=None, strict=False)
    finding: Text | None = None
    words: QuotedWords | None = None
    place: Text | None = None
    own_low_flop: Positive | None = None
    own_high_flop: Positive | None = None
    answer: Text | None = None
    inputs: vocabulary.SharedInputs = Field(default=vocabulary.SharedInputs.UNKNOWN, strict=False)

    @model_validator(mode="after")
    def _is_decided_by_words(self) -> Self:
        if self.verdict != vocabulary.Verdict.INSIDE and not (self.finding and self.decided_by):
            raise mistake(f"{self.verdict} needs finding and decided_by")
        settled = (vocabulary.Verdict.REFUTED, vocabulary.Verdict.OTHER_SCOPE)
        if self.verdict in settled and not (self.words and self.place):
            raise mistake(f"{self.verdict} needs the deciding words and their place; without them it is undecided")
        return self


class Adjudications(Record):
    """Values from someone else's table, each checked against its sources. The file is named after the snapshot."""

    file_name: ClassVar[re.Pattern[str]] = re.compile(r"[a-z0-9]+([-_][a-z0-9]+)*")

    drawn: Drawn
    rows: Annotated[list[Adjudication], Field(min_length=1)]


WORD_PATHS = (vocabulary.ReadPath.CHIP, vocabulary.ReadPath.PRECISION)


class ReadAmount(Fact):
    """A number that a reader found, in the unit of the reading."""

    smallest = 1e-3
    largest = 1e20


class Settled(Strict):
    """A difference between a reading and the record, and who was right when we opened the sources again."""

    decision: vocabulary.Settlement = Field(strict=False)
    ledger_had: float | str | None = None  # if the ledger was wrong, its value before the correction, if any
    reason: Text
    words: list[QuotedWords] = []
    place: Place | None = None

    @model_validator(mode="after")
    def _had_what_was_wrong(self) -> Self:
        if self.ledger_had is not None and self.decision != vocabulary.Settlement.LEDGER_WRONG:
            raise mistake(
                f"ledger_had is what the ledger had before it was corrected, but the decision is {self.decision}"
            )
        return self


class Reading(Strict):
    """What a reader found for one fact: a number with its unit, a word, or nothing (`not_found`)."""

    path: vocabulary.ReadPath = Field(strict=False)
    value: float | str | None = None
    low: float | None = None
    high: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    unit: Text | None = None
    words: list[QuotedWords] = []
    place: list[Place] = []
    where: Text | None = None
    derived: Text | None = None
    doubt: Text | None = None
    note: Text | None = None
    not_found: bool = False
    settled: Settled | None = None

    @property
    def word(self) -> str | None:
        """Return the word that was read; None if it was a number or nothing."""
        return self.value if isinstance(self.value, str) else None

    @cached_property
    def amount(self) -> ReadAmount | None:
        """Return the number that was read, or None. Raise a mistake if its ends are not an amount."""
        ends = {name: getattr(self, name) for name in ("value", "low", "high", "at_least", "at_most")}
        ends_stated = {name: end for name, end in ends.items() if end is not None}
        return ReadAmount(**ends_stated) if ends_stated and self.word is None else None

    @model_validator(mode="after")
    def _is_found_or_not(self) -> Self:
        """Raise a mistake unless a reading has `not_found`, or a word or number with its unit, words and place."""
        is_found = self.word is not None or self.amount is not None
        if is_found == self.not_found:
            raise mistake("needs either what was read, or not_found: true")
        if is_found and (self.word is not None) != (self.path in WORD_PATHS):
            raise mistake(f"{self.path} is a {'word' if self.path in WORD_PATHS else 'number'}")
        if self.amount and self.unit is None:
            raise mistake("has no unit; write for example unit: token")
        usual_unit = vocabulary.READ_UNITS.get(self.path)
        if self.amount and usual_unit and self.unit != usual_unit:
            raise mistake(f"{self.path} is in {usual_unit}, not {self.unit!r}")
        if is_found and not (self.words and self.place):
            raise mistake("needs words from the source, and the place where they were read")
        return self


class ReadModel(Strict):
    """The sources that one reader opened for a model, and the facts read there."""

    opened: list[Text]
    not_opened: list[Text] = []
    note: Text | None = None
    facts: list[Reading]


class SecondReadings(Record):
    """Facts about a sample of models, found in their sources by a reader who saw neither records nor estimates."""

    sources: dict[str, Source] = {}
    seed: Text  # seed of the random draw
    drawn: Text  # how, and from which models, the sample was drawn
    read_on: Date
    saw_estimates: Literal[False]
    models: Annotated[dict[Identifier, ReadModel], Field(min_length=1)]


class Retired(Record):
    """A published id that is no longer in use and will never be reused, and the reason."""

    sources: dict[str, Source] = {}
    kind: str  # the folder of data/records that contained it
    reason: str
    replaced_by: str | None = None
