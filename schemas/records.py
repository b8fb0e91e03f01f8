"""The shape of hand-written records: what each YAML file may hold. Checks across records live in pipeline/records/loading.py."""

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, GetJsonSchemaHandler, WithJsonSchema, model_validator
from pydantic_core import CoreSchema

from schemas import vocabulary
from schemas.arithmetic import NUMBER_WORDS
from schemas.defaults import Default, Spread, YearPeakSeries
from schemas.facts import (
    PLACE_AT_COMMIT,
    Bandwidth,
    Chips,
    ChipTime,
    Clock,
    Count,
    Date,
    DateWord,
    Dies,
    Duration,
    Energy,
    Epochs,
    Fact,
    Flop,
    Fraction,
    Length,
    Mass,
    Memory,
    Parameters,
    Peak,
    Power,
    PrecisionWord,
    Quote,
    Seen,
    Source,
    StepTime,
    Text,
    Throughput,
    Utilization,
    Word,
    mistake,
)
from schemas.limits import LARGEST_EXAMPLES, LARGEST_FLOP, LONGEST_NAME, MOST_ALLOCATIONS, MOST_PHASES, WIDEST_RANGE
from schemas.prices import Grid, Price
from schemas.readings import ReadModel
from schemas.spelling import LONGEST_WORD, Spellings
from schemas.strict import Strict

Format = Annotated[vocabulary.Precision, Field(strict=False)]
IDENTIFIER = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def _named(written: str) -> str:
    if "|" in written:
        raise mistake(f"{written!r} has a |, which joins several names in tables; state each alone")
    if len(written) > LONGEST_NAME:
        raise mistake(f"has {len(written):,} characters; a name has at most {LONGEST_NAME}")
    return written


Name = Annotated[Text, AfterValidator(_named)]
Identifier = Annotated[str, Field(pattern=rf"^{IDENTIFIER.pattern}$", max_length=LONGEST_WORD)]
RowName = Annotated[
    str, Field(pattern=r"^[a-z0-9]+([-_.][a-z0-9]+)*$")
]  # of a measured or logged run, within its record


class _Long(Strict):
    @property
    def sequence_lengths(self) -> tuple[float | None, float | None]:
        """Positions of a sequence and of its target; whole numbers as integers, so that counts stay exact."""
        stated = (getattr(self, "sequence_length"), getattr(self, "target_length"))  # noqa: B009 both subclasses own them
        amounts = (each.amount if isinstance(each, Fact) else each for each in stated)
        first, second = (int(each) if each is not None and each == int(each) else each for each in amounts)
        return first, second


class Allocation(Strict):
    """Chips that worked on a phase for a time."""

    chip: Word | None = None
    chips: Chips | None = None
    duration: Duration | None = None
    chip_time: ChipTime | None = None
    is_from_operations: bool = False  # its source derived the time from operations: the methods are circular
    note: str | None = None

    def chip_seconds(self, cores_per_chip: float | None) -> float | None:
        """Chip time: as stated, else chips x duration; None where neither is known, or cores are counted of a chip whose cores are not."""
        if self.chip_time is None:
            return self.chips.amount * self.duration.amount if self.chips and self.duration else None
        if self.chip_time.amount_unit != "core_second":
            return self.chip_time.amount
        return self.chip_time.amount / cores_per_chip if cores_per_chip else None


class Covered(Seen):
    """Evidence for some numbers of an architecture."""

    covers: list[str]


class Architecture(BaseModel):
    """A family, its numbers (checked by pipeline/architectures) and the evidence for them."""

    model_config = ConfigDict(extra="allow", strict=True)

    family: str
    source: str | None = None  # of the settings that no evidence covers
    evidence: list[Covered] = []
    note: str | None = None

    @property
    def settings(self) -> dict[str, Any]:
        """The family and its numbers."""
        return {"family": self.family, **(self.model_extra or {})}


class Phase(_Long):
    """One stretch of data at one sequence length and precision."""

    phase: Annotated[str, Field(pattern=r"^[a-z0-9]+([-_][a-z0-9]+)*$", max_length=LONGEST_WORD)]
    accounting: vocabulary.Accounting | None = Field(default=None, strict=False)  # None: not said
    example_unit: vocabulary.ExampleUnit = Field(strict=False)
    examples: Count | None = None
    epochs: Epochs | None = None
    steps: Count | None = None
    batch: Count | None = None
    sequence_length: Length | None = None
    target_length: Length | None = None
    precision: PrecisionWord | None = None
    framework: Word | None = None
    utilization: Utilization | None = None
    architecture: Architecture | None = None  # where the phase runs another network than the model's
    is_forward_only: bool = False  # generated experience, a frozen teacher or encoder: no backward pass
    has_frozen_weights: bool = False  # adapters learn on a frozen network: no gradient of its own weights
    hardware: Annotated[list[Allocation], Field(max_length=MOST_ALLOCATIONS)] = []
    timed_with: str | None = None  # the phase whose hardware and time include this one's
    note: str | None = None

    @property
    def examples_seen(self) -> float | None:
        """Examples x epochs, else steps x batch; None where neither is stated."""
        if self.examples and self.epochs:
            return self.examples.amount * self.epochs.amount
        return self.steps.amount * self.batch.amount if self.steps and self.batch else None

    @property
    def passes_per_example(self) -> float | None:
        """How often the network runs for one example: a token is a part of its sequence; None where its length is not stated."""
        if self.example_unit not in (vocabulary.ExampleUnit.TOKEN, vocabulary.ExampleUnit.WORD):
            return 1.0
        return 1 / self.sequence_length.amount if self.sequence_length else None


class Record(Strict):
    """What all records share."""

    former_keys: ClassVar[dict[str, str]] = {"second_reading": "`second_reading:` was renamed `reviewed:`"}
    file_name: ClassVar[re.Pattern[str]] = IDENTIFIER  # without its ending: the id

    reviewed: Date | None = None  # when another person read the record again, against its sources
    sources: Annotated[dict[str, Source], Field(min_length=1)]
    quotes: dict[Identifier, Quote] = {}
    note: str | None = None

    def quotes_of(self, fact: Seen) -> list[Quote]:
        """The quotes that a fact names, in its order."""
        return [quote for each in fact.quote if (quote := self.quotes.get(each))]

    def source_of(self, fact: Seen) -> str | None:
        """Key of the source that a fact is from: its first quote's, else its own; None where the user states it."""
        return next((quote.source for quote in self.quotes_of(fact)), fact.source)


def _assumption_name(written: str) -> str:
    if not re.fullmatch(ASSUMPTION_NAME, written):
        close = re.sub("[^a-z0-9]+", "_", written.lower()).strip("_0123456789")
        raise mistake(f"{written!r} is not a name{f'; did you mean {close!r}?' if close else ', such as moves_a_game'}")
    if written in NUMBER_WORDS:
        raise mistake(f"{written!r} is a number word; name it after what is assumed, such as moves_a_game")
    return written


ASSUMPTION_NAME = r"[a-z][a-z0-9_]*"
AssumptionName = Annotated[
    str, AfterValidator(_assumption_name), WithJsonSchema({"type": "string", "pattern": f"^{ASSUMPTION_NAME}$"})
]
Positive = Annotated[float, Field(gt=0, lt=LARGEST_FLOP)]


class Assumption(Strict):
    """A factor that nobody states, which `derived` names: its range, or its value and the standard deviation of its logarithm."""

    value: Positive | None = None
    log_sd: Annotated[float | None, Field(gt=0, le=math.log(WIDEST_RANGE) / 4)] = None
    low: Positive | None = None
    high: Positive | None = None
    reason: Text

    @model_validator(mode="after")
    def _has_a_width(self) -> Self:
        is_range = (self.low is not None, self.high is not None)
        is_value = (self.value is not None, self.log_sd is not None)
        if {is_range, is_value} != {(True, True), (False, False)}:
            raise mistake("an assumption has either low and high, or value and log_sd")
        if self.low is not None and self.high is not None and self.high > WIDEST_RANGE * self.low:
            raise mistake(f"high is more than {WIDEST_RANGE:g} times low, which says nothing")
        if self.low is not None and self.high is not None and self.low >= self.high:
            raise mistake(
                f"low ({self.low:g}) is not below high ({self.high:g}); exchange them, or write value and log_sd"
            )
        return self

    @property
    def written(self) -> str:
        """The assumption for a reader."""
        return " to ".join(f"{end:.6g}" for end in dict.fromkeys(self.ends))

    @property
    def ends(self) -> tuple[float, float]:
        """Low and high; both the value where there is one."""
        stated = (self.low, self.high) if self.value is None else (self.value, self.value)
        low, high = (each or math.nan for each in stated)
        return low, high


class ReportedFlop(Flop):
    """Training compute as the authors state it."""

    method: vocabulary.ReportedMethod = Field(strict=False)
    convention: vocabulary.ReportedConvention | None = Field(default=None, strict=False)  # None: not looked for


class Dispute(Strict):
    """Why operations and GPU time dispute: as whoever read the record reasons, in the words of a quote, or both."""

    cause: vocabulary.StatedCause = Field(strict=False)
    sides_with: vocabulary.DisputeSide | None = Field(default=None, strict=False)  # None: that is open
    quote: str | None = None
    reason: Text | None = None

    @model_validator(mode="after")
    def _says_why(self) -> Self:
        if self.quote is None and self.reason is None:
            raise mistake("a dispute has quote, the id of words that name its cause, or reason, a sentence, or both")
        return self


class ExternalEstimate(Flop):
    """Training compute of the model as someone else states it, and how ours compares; no estimate uses it."""

    id: Identifier
    inputs: vocabulary.SharedInputs = Field(strict=False)
    labelled_before: bool | None = None  # None: nothing shows whether `inputs` or the comparison came first
    outcome: vocabulary.Outcome = Field(strict=False)
    method: vocabulary.StatedMethod | None = Field(default=None, strict=False)
    confidence: vocabulary.Confidence | None = Field(default=None, strict=False)  # their word
    interval: tuple[float, float] | None = Field(default=None, strict=False)  # theirs, in FLOP

    @model_validator(mode="after")
    def _has_a_reason_where_it_differs(self) -> Self:
        if self.outcome == vocabulary.Outcome.DIFFERS and not self.note:
            raise mistake("an external estimate that differs needs a note: why")
        if self.interval and not 0 < self.interval[0] < self.interval[1] < math.inf:
            raise mistake("interval is not its lower and its upper end in FLOP, such as [2e25, 2e26]")
        return self


class Contribution(Seen):
    """Compute outside of this record and its base models that the result rests on: another model's training, data that it made, a search."""

    accounting: vocabulary.Accounting = Field(strict=False)
    model: str | None = None  # whose training, or whose outputs
    flop: Flop | None = None  # None: that of the model's training for a teacher or a search, else not known


class Missing(Strict):
    """A fact that was looked for and not found: its name alone, or with where it was looked for and what would settle it."""

    fact: Text
    looked_in: list[str] = []  # keys of the record's sources
    would_settle: Text | None = None

    @model_validator(mode="before")
    @classmethod
    def _of_a_name(cls, written: Any) -> Any:
        return {"fact": written} if isinstance(written, str) else written

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Either form, for editors."""
        return {"anyOf": [{"type": "string"}, handler(core)]}


class KindWord(Word):
    """Kind of an organization."""

    value: vocabulary.OrganizationKind = Field(strict=False)


class Parent(Word):
    """The id of the organization that owns one, or of which it is a part, and since when; without a day, from its beginning."""

    since: Date | None = None


class Organization(Record):
    """Who trains models; a division that publishes under a name of its own is an alias, unless it was an organization before."""

    sources: dict[str, Source] = {}
    name: Name
    aliases: list[Name] = []
    country: Word | None = None
    kind: KindWord | None = None
    parents: list[Parent] = []


class AccessWord(Word):
    """Who can download the weights."""

    value: vocabulary.WeightsAccess = Field(strict=False)


class Model(Record):
    """One published model; of a fine-tuned one, the fine-tuning alone."""

    former_keys: ClassVar[dict[str, str]] = {
        **Record.former_keys,
        "checked": "`checked:` was renamed `external_estimates:`, each with an `id:`",
    }

    sources: dict[str, Source] = {}
    stated_by_user: bool = False  # a user's own model, whose facts need neither quote nor source
    name: Name
    aliases: list[Name] = []
    renamed_from: list[Name] = []
    organization: Name
    organization_kind: vocabulary.OrganizationKind = Field(strict=False)
    published: Date
    domain: vocabulary.Domain = Field(strict=False)
    scope: vocabulary.Scope = Field(strict=False)
    scope_note: Text | None = None  # which networks, members or trials it covers
    base_model: str | None = None
    epoch_name: Text | None = None  # its Model cell in Epoch's table of notable models
    weights_access: AccessWord | None = None
    assumptions: dict[AssumptionName, Assumption] = {}
    parameters: Parameters | None = None
    active_parameters: Parameters | None = None
    reported_flop: ReportedFlop | None = None
    reported_energy: Energy | None = None  # of this training, as the authors state it
    reported_co2: Mass | None = None
    trained_in: Word | None = None  # a place of `grid_factors`
    forward_flop: Flop | None = None
    connections: Count | None = None
    network: vocabulary.ParameterNetwork | None = Field(default=None, strict=False)
    architecture: Architecture | None = None
    training: Annotated[list[Phase], Field(max_length=MOST_PHASES)] = []
    contributions: list[Contribution] | None = None  # None: not looked for; empty: looked for, and there is none
    external_estimates: list[ExternalEstimate] = []
    dispute: Dispute | None = None
    missing: list[Missing] = []
    unlike_siblings: dict[str, Text] = {}  # what differs from other models of the publication, and why

    def architecture_of(self, phase: Phase) -> Architecture | None:
        """The network that a phase runs: its own where it states one, else the model's."""
        return phase.architecture or self.architecture


class Chip(Record):
    """One chip, or one card where publications count cards."""

    name: Name
    manufacturer: Name
    generation: vocabulary.Generation | None = Field(default=None, strict=False)
    aliases: list[Name] = []
    runtime_names: dict[Name, str] = {}  # what software prints, each with the place where it was read
    released: DateWord
    cores_per_chip: Dies | None = None
    dies_per_chip: Dies | None = None
    devices_per_chip: Dies | None = None
    peaks: Annotated[dict[Format, Peak], Field(min_length=1)]
    narrow_accumulate_peaks: dict[Format, Peak] = {}  # faster, with 16-bit sums, which training does not use
    boost_clock: Clock | None = None
    flop_per_clock: dict[Format, Count] = {}
    memory: Memory | None = None
    memory_bandwidth: Bandwidth | None = None
    power: Power | None = None


class MeasurementRow(_Long):
    """One measured throughput. The evidence of its throughput or step time covers its other values."""

    row: RowName
    architecture: str
    network: vocabulary.Network = Field(strict=False)
    chip: str
    chips: Annotated[int, Field(gt=0, le=10**6)]
    precision: vocabulary.Precision = Field(strict=False)
    batch: Annotated[int | None, Field(gt=0, le=10**9)] = None
    sequence_length: Annotated[int | None, Field(gt=0, le=10**8)] = None
    target_length: Annotated[int | None, Field(gt=0, le=10**8)] = None
    timed: vocabulary.Timed = Field(strict=False)
    throughput: Throughput | None = None
    step_time: StepTime | None = None
    reported_mfu: Fraction | None = None
    reported_hfu: Fraction | None = None
    is_recomputed: bool = False  # activations are recomputed in the backward pass: HFU is above MFU
    is_circular: bool = False  # the throughput was derived from a utilization, so it cannot calibrate one
    note: str | None = None

    @model_validator(mode="after")
    def _is_timed_one_way(self) -> Self:
        if (self.throughput is None) == (self.step_time is None):
            raise mistake("a row has either throughput or step_time")
        if self.step_time is not None and self.batch is None:
            raise mistake("a step_time says nothing without the batch")
        return self

    @property
    def timing(self) -> Fact:
        """The fact that was measured."""
        return self.throughput or self.step_time  # type: ignore[return-value]

    @property
    def examples_per_second(self) -> float:
        """Whole images or sequences a second, of all chips together; a rate in tokens is divided by their number in a sequence."""
        if self.step_time and self.batch:
            return self.batch / self.step_time.amount
        is_in_tokens = self.timing.amount_unit == "token_per_second"
        return self.timing.amount / (self.sequence_length or 1 if is_in_tokens else 1)


class ReportedUtilization(Utilization):
    """A utilization that a source states without a throughput from which it could be computed."""

    row: RowName
    about: str  # what ran where, in the source's terms
    network: vocabulary.Network | None = Field(default=None, strict=False)
    chip: str | None = None
    precision: vocabulary.Precision | None = Field(default=None, strict=False)


class Rejected(Strict):
    """A published measurement that was examined and is not used."""

    row: str
    reason: vocabulary.Rejection = Field(strict=False)
    note: str


class Task(_Long):
    """What the rows of a measurement's table with this word trained: a network of ours, or why it is not counted."""

    architecture: str | None = None
    network: vocabulary.Network | None = Field(default=None, strict=False)
    sequence_length: Length | None = None
    target_length: Length | None = None
    has_frozen_weights: bool = False
    not_counted: Text | None = None
    predicts: bool = (
        True  # whether its runs predict utilizations of others: not where that did not help on sources left out
    )
    note: str | None = None

    @model_validator(mode="after")
    def _is_counted_or_not(self) -> Self:
        is_counted = self.architecture is not None and self.network is not None
        if is_counted == (self.not_counted is not None):
            raise mistake("a task has either architecture and network, or not_counted, the reason")
        return self


class TableRow(Strict):
    """One row of the table beside a measurement: the run that was the median of its repeats. None is not stated."""

    row: RowName
    submitter: Name
    division: Literal["closed", "open"] | None = None
    task: Name
    chip: Name | None = None
    chips: Annotated[int | None, Field(gt=0, le=10**6)] = None
    nodes: Annotated[int | None, Field(gt=0, le=10**6)] = None
    precision: vocabulary.Precision | None = Field(default=None, strict=False)
    precision_words: str | None = None
    precision_place: str | None = None
    batch: Annotated[int | None, Field(gt=0, le=10**9)] = None
    examples_seen: Annotated[float | None, Field(gt=0, le=LARGEST_EXAMPLES)] = None
    run_seconds: Annotated[float, Field(gt=0, le=10**9)]
    evaluation_seconds: Annotated[float | None, Field(ge=0, le=10**9)] = None
    node_watts: Annotated[float | None, Field(gt=0, le=10**6)] = None
    repeats: Annotated[int, Field(gt=0, le=10**6)]
    repeats_log_sd: Annotated[float | None, Field(ge=0, le=10)] = None
    place: Annotated[str, Field(pattern=f"^{PLACE_AT_COMMIT}$")]

    @model_validator(mode="after")
    def _is_possible(self) -> Self:
        if self.evaluation_seconds is not None and self.evaluation_seconds >= self.run_seconds:
            raise mistake("its evaluation takes as long as the run, or longer")
        if (self.precision is None) != (self.precision_place is None):
            raise mistake("precision and precision_place stand together or not at all")
        return self


class Measurement(Record):
    """One source of measured throughput and its rows, those of a table beside it (`<id>.csv`) by their tasks."""

    name: Name
    licence: str
    run: vocabulary.RunKind = Field(strict=False)
    architectures: dict[str, Architecture] = {}
    rows: list[MeasurementRow] = []
    tasks: dict[str, Task] = {}
    reported_utilization: list[ReportedUtilization] = []
    rejected: list[Rejected] = []


class GoldRun(Strict):
    """A whole run whose operations and time are known: a phase of a model's record, or one with facts of its own (`training`)."""

    run: RowName
    evidence: vocabulary.RunEvidence = Field(strict=False)
    hours_cover: vocabulary.HoursCover = Field(strict=False)
    model: str | None = None  # of the ledger, whose record has the facts of the run
    phase: str | None = None  # of that model
    name: Name | None = None
    published: Date | None = None
    architecture: str | None = None  # one of its group's record, or a model's
    training: Phase | None = None
    note: str | None = None

    @model_validator(mode="after")
    def _has_facts_in_one_place(self) -> Self:
        own = [each is not None for each in (self.name, self.published, self.architecture, self.training)]
        of_model = [self.model is not None, self.phase is not None]
        if not (all(own) and not any(of_model)) and not (all(of_model) and not any(own)):
            raise mistake("a run has either model and phase, or name, published, architecture and training")
        return self


class GoldRuns(Record):
    """Gold runs of one owner with one code base: together they weigh as much as any other group."""

    sources: dict[str, Source] = {}
    name: Name
    owner: Name
    licence: str
    measured_by: list[
        str
    ] = []  # measurement records, or `record/submitter`, of the same owner and code: they may not predict these runs
    architectures: dict[str, Architecture] = {}
    runs: list[GoldRun]
    rejected: list[Rejected] = []


class Defaults(Record):
    """Values used where facts are missing. Each file states one quantity."""

    quantity: str
    values: list[Default] = []
    spreads: list[Spread] = []
    series: dict[str, YearPeakSeries] = {}


class HardwarePrices(Record):
    """Prices of chips that one source lists."""

    prices: Annotated[list[Price], Field(min_length=1)]


class GridFactors(Record):
    """Carbon intensities of grids that one source lists."""

    factors: Annotated[list[Grid], Field(min_length=1)]


class Erratum(Record):
    """A published figure that its own factors contradict."""

    model: str | None = None
    is_reported_flop: bool = False
    figure: str
    published_value: Flop
    factors: str
    corrected_value: Flop
    explanation: str


class Sampled(Strict):
    """How many values of a stratum were drawn, of how many."""

    drawn: Annotated[int, Field(gt=0)]
    of: Annotated[int, Field(gt=0)]

    @model_validator(mode="after")
    def _has_as_many(self) -> Self:
        if self.drawn > self.of:
            raise mistake(f"drawn ({self.drawn}) is more than of ({self.of})")
        return self

    @property
    def weight(self) -> float:
        """How many values each drawn one stands for."""
        return self.of / self.drawn


class Drawn(Strict):
    """How the adjudicated values of all tables together were drawn."""

    how: Text
    far: Sampled
    near: Sampled

    def weight(self, stratum: vocabulary.Stratum) -> float:
        """How many values each drawn one of a stratum stands for."""
        return (self.far if stratum == vocabulary.Stratum.FAR else self.near).weight


class Adjudication(Seen):
    """One published value, judged by its sources; its quotes, or the cells that `via` names, are the evidence."""

    name: Annotated[str, Field(min_length=1)]  # the cell, exactly
    snapshot: str
    stratum: vocabulary.Stratum = Field(strict=False)
    published_flop: Positive
    corrected_flop: Positive | None  # None: the value is of another artefact
    reason: vocabulary.Fault | None = Field(strict=False)  # None: nothing was found wrong
    certainty: vocabulary.Certainty = Field(strict=False)  # of an open finding the published value stays
    factors: str | None = None
    note: Text

    @property
    def written(self) -> str:
        """The finding for a reader."""
        corrected = "another artefact" if self.corrected_flop is None else f"{self.corrected_flop:.6g} flop"
        return f"{self.published_flop:.6g} flop -> {corrected}"


class Adjudications(Record):
    """Values of someone else's table, each judged by its sources; the file has the name of the table's snapshot."""

    file_name: ClassVar[re.Pattern[str]] = re.compile(r"[a-z0-9]+([-_][a-z0-9]+)*")

    drawn: Drawn
    rows: Annotated[list[Adjudication], Field(min_length=1)]


class SecondReadings(Record):
    """What one reader, who saw neither records nor estimates, read in the sources of models that were drawn."""

    sources: dict[str, Source] = {}
    seed: Text  # of the draw
    drawn: Text  # how the models were drawn, of which
    read_on: Date
    saw_estimates: Literal[False]
    models: Annotated[dict[Identifier, ReadModel], Field(min_length=1)]


class Fetched(Strict):
    """The raw file of a watched source as it was last read."""

    on: Date
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    bytes: Annotated[int, Field(gt=0)]
    rows: Annotated[int | None, Field(gt=0)] = None
    entity_tag: str | None = None
    found_at: Annotated[str | None, Field(pattern=f"^{PLACE_AT_COMMIT}$")] = (
        None  # the copy, where it was not the address itself
    )


class WatchedSource(Record):
    """What `flopledger update` looks at: a table, repositories of results by round, or the addresses that models' records name."""

    name: Name
    watched: Literal["table", "repositories", "addresses"]
    licence: str | None = None  # None: not read, or each address has its own
    cadence_days: Annotated[int, Field(gt=0, le=3660)]
    address: Annotated[str | None, Field(pattern=r"^https://\S+$")] = None  # with {round} where there is one a round
    file: Annotated[str | None, Field(pattern=r"^data/snapshots/[a-z0-9_]+\.csv$")] = None  # the snapshot that is kept
    columns: list[str] = []  # that are used: a file without one of them is refused
    rounds: dict[
        Annotated[str, Field(pattern=r"^v\d+\.\d+$")], str | None
    ] = {}  # the commit read; None: not read, if it is there
    fetched: Fetched | None = None  # None: never

    @model_validator(mode="after")
    def _has_what_it_needs(self) -> Self:
        if (self.address is None) != (self.watched == "addresses") or bool(self.rounds) != (
            self.watched == "repositories"
        ):
            raise mistake("a table has an address, repositories have an address and rounds, addresses have neither")
        return self


class Retired(Record):
    """A published id that is no longer in use: it is never reused, and its record states why it went."""

    sources: dict[str, Source] = {}
    kind: str  # the folder of data/records that held it
    reason: str
    replaced_by: str | None = None


@dataclass(frozen=True, kw_only=True)
class Records:
    """All records, by id."""

    models: dict[str, Model] = dataclass_field(default_factory=dict)
    organizations: dict[str, Organization] = dataclass_field(default_factory=dict)
    hardware: dict[str, Chip] = dataclass_field(default_factory=dict)
    defaults: dict[str, Defaults] = dataclass_field(default_factory=dict)
    measurements: dict[str, Measurement] = dataclass_field(default_factory=dict)
    gold_runs: dict[str, GoldRuns] = dataclass_field(default_factory=dict)
    hardware_prices: dict[str, HardwarePrices] = dataclass_field(default_factory=dict)
    grid_factors: dict[str, GridFactors] = dataclass_field(default_factory=dict)
    errata: dict[str, Erratum] = dataclass_field(default_factory=dict)
    adjudications: dict[str, Adjudications] = dataclass_field(default_factory=dict)
    second_readings: dict[str, SecondReadings] = dataclass_field(default_factory=dict)
    sources: dict[str, WatchedSource] = dataclass_field(default_factory=dict)
    retired: dict[str, Retired] = dataclass_field(default_factory=dict)
    table_rows: dict[str, list[TableRow]] = dataclass_field(default_factory=dict)  # by the id of their measurement
    places: dict[tuple[str, str], dict[str, str]] = dataclass_field(
        default_factory=dict
    )  # result and day by found_at and text
    remarks: list[str] = dataclass_field(
        default_factory=list
    )  # one line for each valid fact that leaves something unknown

    def chip_ids(self) -> Spellings:
        """Every spelling of a chip in lower case, and its id; `spelling.find` looks a chip up in it."""
        return Spellings(
            (spelling.lower(), identifier)
            for identifier, chip in self.hardware.items()
            for spelling in (identifier, chip.name, *chip.aliases)
        )

    def organization_ids(self) -> dict[str, str]:
        """Every name of an organization in lower case, and its id."""
        return {
            name.lower(): identifier
            for identifier, each in self.organizations.items()
            for name in (each.name, *each.aliases)
        }

    def grid_places(self) -> list[str]:
        """Countries and regions whose grid has a factor."""
        return [grid.place for record in self.grid_factors.values() for grid in record.factors]

    def measured_architecture(self, measurement: Measurement | GoldRuns, name: str) -> Architecture | None:
        """The architecture that a measurement row or a gold run names: one of its own record's, or a model's."""
        model = self.models.get(name)
        return measurement.architectures.get(name) or (model.architecture if model else None)

    def gold_phase(self, group: GoldRuns, run: GoldRun) -> tuple[Phase | None, Architecture | None]:
        """The facts of a gold run and its network: its own, or those of a model's phase; None where there are none."""
        if run.training is not None:
            return run.training, self.measured_architecture(group, run.architecture or "")
        model = self.models.get(run.model or "")
        phase = next((each for each in model.training if each.phase == run.phase), None) if model else None
        return phase, model.architecture_of(phase) if model and phase else None

    def each(self) -> Iterator[tuple[str, str, Record]]:
        """Folder, id and record of all, in order."""
        for kind in KINDS:
            for identifier, record in sorted(getattr(self, kind).items()):
                yield kind, identifier, record


KINDS: dict[str, type[Record]] = {
    "models": Model,
    "organizations": Organization,
    "hardware": Chip,
    "defaults": Defaults,
    "measurements": Measurement,
    "gold_runs": GoldRuns,
    "hardware_prices": HardwarePrices,
    "grid_factors": GridFactors,
    "errata": Erratum,
    "adjudications": Adjudications,
    "second_readings": SecondReadings,
    "sources": WatchedSource,
    "retired": Retired,
}


class Setting(Word):
    """A number of an architecture with the evidence that covers it."""


def settings(architecture: Architecture) -> Iterator[tuple[str, Setting]]:
    """Each number of an architecture as a fact, once for each piece of evidence that covers it; unseen where none does."""
    unseen = {"source": architecture.source}
    for key, value in architecture.settings.items():
        if key == "family":
            continue
        shown = value if isinstance(value, str) else json.dumps(value)
        covering = [each for each in architecture.evidence if key in each.covers]
        for place, each in enumerate(covering or [None]):
            stated = {name: getattr(each, name) for name in each.model_fields_set - {"covers"}} if each else unseen
            # What is covered was validated; to validate it again takes longer than all the rest.
            yield f"{key} ({place + 1})" if place else key, Setting.model_construct(value=shown, **stated)


def facts(record: BaseModel, path: str = "") -> Iterator[tuple[str, Seen]]:
    """Every fact of a record with its path, in the order of the record's fields."""
    found: list[tuple[str, Seen]] = []
    _add_facts(record, path, found)
    return iter(found)


def _add_facts(record: BaseModel, path: str, found: list[tuple[str, Seen]]) -> None:
    if isinstance(record, Architecture):
        found += [(f"{path}.{key}", setting) for key, setting in settings(record)]
        return
    for name in _fields(type(record)):
        value = getattr(record, name)
        if value is not None and type(value) is not str:
            _add_facts_of(value, f"{path}.{name}" if path else name, found)


def _add_facts_of(value: Any, path: str, found: list[tuple[str, Seen]]) -> None:
    if isinstance(value, Seen):
        found.append((path, value))
    elif isinstance(value, BaseModel):
        _add_facts(value, path, found)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            _add_facts_of(item, f"{path}[{index}]", found)
    elif isinstance(value, dict):
        for key, item in value.items():
            _add_facts_of(item, f"{path}.{key}", found)


@cache
def _fields(kind: type[BaseModel]) -> tuple[str, ...]:
    return tuple(kind.model_fields)
