"""Records of defaults, errata, adjudications, second readings and retired ids."""

import re
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from schemas import vocabulary
from schemas.defaults import Default, Spread, YearPeakSeries
from schemas.facts import Date, Flop, Seen, Source, Text, mistake
from schemas.readings import ReadModel
from schemas.records.parts import Identifier, Positive, Record
from schemas.strict import Strict


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
    """How many values were drawn from a stratum (`drawn`), and how many it contains (`of`)."""

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
    """How the values to adjudicate were drawn from all tables together."""

    how: Text
    far: Sampled
    near: Sampled

    def weight(self, stratum: vocabulary.Stratum) -> float:
        """Return the number of values that each drawn value of a stratum represents."""
        return (self.far if stratum == vocabulary.Stratum.FAR else self.near).weight


class Adjudication(Seen):
    """One published value, checked against its sources. The evidence is quotes, or table cells named by `via`."""

    name: Annotated[str, Field(min_length=1)]  # the name in the table, exactly
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


class Adjudications(Record):
    """Values from someone else's table, each checked against its sources. The file is named after the snapshot."""

    file_name: ClassVar[re.Pattern[str]] = re.compile(r"[a-z0-9]+([-_][a-z0-9]+)*")

    drawn: Drawn
    rows: Annotated[list[Adjudication], Field(min_length=1)]


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
