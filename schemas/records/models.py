"""Records of models, organizations and chips."""

import hashlib
import math
import re
from functools import cached_property
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, GetJsonSchemaHandler, model_validator
from pydantic_core import CoreSchema

from schemas import vocabulary
from schemas.base_model import Strict
from schemas.facts import (
    Bandwidth,
    Clock,
    Cost,
    Count,
    Date,
    DateWord,
    Dies,
    Energy,
    Fact,
    Flop,
    Fraction,
    Mass,
    Memory,
    Parameters,
    Peak,
    Power,
    Seen,
    Source,
    Text,
    Word,
    mistake,
)
from schemas.limits import MOST_PHASES
from schemas.records.parts import IDENTIFIER, Assumption, AssumptionName, Format, Identifier, Name, Record
from schemas.records.training import Architecture, Phase


class ReportedFlop(Flop):
    """Training compute stated by the authors."""

    method: vocabulary.ReportedMethod = Field(strict=False)
    convention: vocabulary.ReportedConvention | None = Field(default=None, strict=False)  # None if nobody looked it up


class Dispute(Strict):
    """The stated cause of a disagreement between operations and GPU time: a reason by the author, words, or both."""

    cause: vocabulary.StatedCause = Field(strict=False)
    sides_with: vocabulary.DisputeSide | None = Field(default=None, strict=False)  # None if this is not known
    quote: str | None = None
    reason: Text | None = None

    @model_validator(mode="after")
    def _says_why(self) -> Self:
        if self.quote is None and self.reason is None:
            raise mistake("a dispute needs quote (the id of words that name its cause), reason (a sentence), or both")
        return self


class ExternalEstimate(Flop):
    """Training compute stated by someone else, and how ours compares. No estimate uses it."""

    id: Identifier
    inputs: vocabulary.SharedInputs = Field(strict=False)
    labelled_before: bool | None = None  # whether `inputs` was recorded before the comparison; None if not known
    outcome: vocabulary.Outcome = Field(strict=False)
    method: vocabulary.StatedMethod | None = Field(default=None, strict=False)
    confidence: vocabulary.StatedConfidence | None = Field(default=None, strict=False)  # in their words
    interval: tuple[float, float] | None = Field(default=None, strict=False)  # their interval, in FLOP

    @model_validator(mode="after")
    def _has_a_reason_if_it_differs(self) -> Self:
        if self.outcome not in (vocabulary.Outcome.AGREES, vocabulary.Outcome.NO_OWN_VALUE) and not self.note:
            raise mistake("an external estimate that differs needs a note that says why")
        if self.interval and not 0 < self.interval[0] < self.interval[1] < math.inf:
            raise mistake("interval must be its lower and upper ends in FLOP, such as [2e25, 2e26]")
        return self


class Contribution(Seen):
    """Compute on which the result rests besides this record and its base models: another model's or a search's."""

    accounting: vocabulary.Accounting = Field(strict=False)
    model: str | None = None  # the model that was trained, or whose outputs were used
    flop: Flop | None = None  # if None, a teacher or search counts all training of `model`; other kinds are unknown


class Missing(Strict):
    """A fact that was looked for and not found: only its name, or also where we looked and what would settle it."""

    fact: Text
    looked_in: list[str] = []  # keys of the record's sources
    would_settle: Text | None = None

    @model_validator(mode="before")
    @classmethod
    def _from_name(cls, written: Any) -> Any:
        return {"fact": written} if isinstance(written, str) else written

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Return the JSON schema of both forms, for editors."""
        return {"anyOf": [{"type": "string"}, handler(core)]}


class KindWord(Word):
    """Kind of an organization."""

    value: vocabulary.OrganizationKind = Field(strict=False)


class Parent(Word):
    """The id of a parent organization, and the date it became the parent (by default, the day of the founding)."""

    since: Date | None = None


class Organization(Record):
    """An organization that trains models. A division's name is an alias, unless it was once independent."""

    sources: dict[str, Source] = {}
    name: Name
    aliases: list[Name] = []
    country: Word | None = None
    kind: KindWord | None = None
    parents: list[Parent] = []


class AccessWord(Word):
    """Who can download the weights."""

    value: vocabulary.WeightsAccess = Field(strict=False)


class Base(Word):
    """Trained weights from which training began: a model's id, or its name if the ledger has no record of it."""

    assumed: Text | None = None  # why we think so, if no source names the weights

    @property
    def evidence(self) -> vocabulary.Evidence:
        """Return ASSUMED if no source names the weights, otherwise what `Seen` returns."""
        return vocabulary.Evidence.ASSUMED if self.assumed else super().evidence

    @property
    def is_recorded(self) -> bool:
        """Return whether `value` is an id; ids have no spaces or capitals."""
        return bool(IDENTIFIER.fullmatch(self.value))

    @property
    def part_id(self) -> str:
        """Return the id, or the name in the form of an id, which no record has."""
        return self.value if self.is_recorded else re.sub("[^a-z0-9]+", "-", self.value.lower()).strip("-")


class BaseShare(Fraction, largest=1 - 1e-4):
    """The base models' share of a total."""


def _bases(written: Any) -> Any:
    """Return one base or several as a list; a bare id stands for a base without evidence, as users state it."""
    several = written if isinstance(written, list) else [written]
    return [{"value": base} if isinstance(base, str) else base for base in several]


def _one_or_several(schema: dict[str, Any]) -> None:
    """Let editors accept one base in place of a list."""
    schema["anyOf"] = [schema["items"], {name: schema.pop(name) for name in ("type", "items")}]


class Model(Record):
    """One published model; for a fine-tuned model, only the fine-tuning."""

    sources: dict[str, Source] = {}
    like: str | None = None  # the sibling from which the record inherits what it does not state
    stated_by_user: bool = False  # true for a user's own model, whose facts need neither quotes nor sources
    name: Name
    aliases: list[Name] = []
    renamed_from: list[Name] = []
    organization: Name
    organization_kind: vocabulary.OrganizationKind = Field(strict=False)
    published: Date
    domain: vocabulary.Domain = Field(strict=False)
    scope: vocabulary.Scope = Field(strict=False)
    scope_note: Text | None = None  # the networks, members or trials that the scope covers
    base_model: Annotated[list[Base], BeforeValidator(_bases), Field(json_schema_extra=_one_or_several)] = []
    base_share: BaseShare | None = None  # the base models' share of the total compute, if the makers state it
    epoch_name: Text | None = None  # the content of its Model cell in Epoch's table of notable models
    weights_access: AccessWord | None = None
    assumptions: dict[AssumptionName, Assumption] = {}
    parameters: Parameters | None = None
    active_parameters: Parameters | None = None
    reported_flop: ReportedFlop | None = None
    reported_energy: Energy | None = None  # for this training run, as stated by the authors
    reported_co2: Mass | None = None
    reported_cost: Cost | None = None
    trained_in: Word | None = None  # a place listed in `grid_factors`
    forward_flop: Flop | None = None
    connections: Count | None = None
    network: vocabulary.ParameterNetwork | None = Field(default=None, strict=False)
    architecture: Architecture | None = None
    training: Annotated[list[Phase], Field(max_length=MOST_PHASES)] = []
    contributions: list[Contribution] | None = None  # None if nobody looked for them; empty if there are none
    external_estimates: list[ExternalEstimate] = []
    dispute: Dispute | None = None
    missing: list[Missing] = []
    unlike_siblings: dict[str, Text] = {}  # facts that differ from the publication's other models, and why

    @property
    def base_ids(self) -> list[str]:
        """Return the ids of the base models; one without a record has its name in the form of an id."""
        return [base.part_id for base in self.base_model]

    @property
    def makers_source(self) -> Source | None:
        """Return the makers' first source on the web."""
        sources = [source for source in self.sources.values() if source is not None and source.url]
        return next((source for kind in vocabulary.OF_MAKERS for source in sources if source.kind == kind), None)

    @cached_property  # in pipeline/records/model_table.py, as is `likeness`
    def publication(self) -> str | None:
        """Return the address of the makers' source, and whether there is a base model; None for a user's model."""
        source = None if self.stated_by_user else self.makers_source
        return f"{source.address} {bool(self.base_model)}" if source else None

    @cached_property
    def likeness(self) -> str | None:
        """Return a digest of developer, size, examples and quotes, which a copy shares; None without these."""
        examples = [fact for phase in self.training for fact in (phase.examples, phase.steps, phase.batch)]
        if self.stated_by_user or not self.quotes or not any(examples):
            return None
        amounts = [fact and fact.bounds for fact in (self.parameters, *examples)]
        networks = [network.settings for network in self.networks().values()]
        texts = sorted(quote.text for quote in self.quotes.values() if quote)
        content = (self.organization, amounts, networks, texts)
        return hashlib.sha256(repr(content).encode()).hexdigest()

    def architecture_of(self, phase: Phase) -> Architecture | None:
        """Return the network of a phase: the one that the phase states, otherwise the model's."""
        return phase.architecture or self.architecture

    def length_ends(self, phase: Phase) -> list[tuple[float | None, float | None]]:
        """Return the shortest and the longest sequence and target of a phase.

        They are the ends of a stated range, or of the range of an assumption on which the length rests.
        """
        ends = [
            self._ends(length) if length else (None, None) for length in (phase.sequence_length, phase.target_length)
        ]
        return [*zip(*ends, strict=True)]

    def _ends(self, length: Fact) -> tuple[float, float]:
        for assumption in (self.assumptions[name] for name in length.assumptions if name in self.assumptions):
            if assumption.low and assumption.high:
                return assumption.low, assumption.high
        return length.bounds

    def networks(self, since: str = "") -> dict[str, Architecture]:
        """Return the networks that the record states, by path; none if it was published before the year `since`."""
        networks = {f"training[{index}].architecture": phase.architecture for index, phase in enumerate(self.training)}
        every = {"architecture": self.architecture, **networks} if self.published >= since else {}
        return {path: network for path, network in every.items() if network is not None}


class Chip(Record):
    """One chip, or one card if publications count cards."""

    name: Name
    manufacturer: Name
    generation: vocabulary.Generation | None = Field(default=None, strict=False)
    aliases: list[Name] = []
    runtime_names: dict[Name, str] = {}  # names printed by software, each with the place where we read it
    released: DateWord
    cores_per_chip: Dies | None = None
    dies_per_chip: Dies | None = None
    devices_per_chip: Dies | None = None
    peaks: Annotated[dict[Format, Peak], Field(min_length=1)]
    narrow_accumulate_peaks: dict[Format, Peak] = {}  # faster, but with 16-bit sums, which training does not use
    boost_clock: Clock | None = None
    flop_per_clock: dict[Format, Count] = {}
    memory: Memory | None = None
    memory_bandwidth: Bandwidth | None = None
    power: Power | None = None

    @property
    def only_precision(self) -> vocabulary.Precision | None:
        """Return the chip's precision if it has only one; integers count only if it has nothing else."""
        formats: list[vocabulary.Precision] = list(self.peaks)
        formats = [precision for precision in formats if precision != vocabulary.Precision.INT8] or formats
        return formats[0] if len(formats) == 1 else None
