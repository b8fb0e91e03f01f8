"""Records of measurements and gold runs."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from schemas import vocabulary
from schemas.base_model import Strict
from schemas.facts import (
    PLACE_AT_COMMIT,
    Date,
    Fact,
    Fraction,
    Length,
    Source,
    StepTime,
    Text,
    Throughput,
    Utilization,
    mistake,
)
from schemas.limits import LARGEST_EXAMPLES
from schemas.records.parts import HasLengths, Name, Record, RowName
from schemas.records.training import Architecture, Phase


class MeasurementRow(HasLengths):
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
    is_recomputed: bool = False  # activations are recomputed in the backward pass, so HFU exceeds MFU
    is_circular: bool = False  # the source derived the throughput from a utilization, so it cannot calibrate ours
    note: str | None = None

    @model_validator(mode="after")
    def _is_timed_one_way(self) -> Self:
        if (self.throughput is None) == (self.step_time is None):
            raise mistake("a row has either throughput or step_time")
        if self.step_time is not None and self.batch is None:
            raise mistake("a step_time is meaningless without the batch")
        return self

    @property
    def timing(self) -> Fact:
        """Return the fact that was measured."""
        return self.throughput or self.step_time  # type: ignore[return-value]

    @property
    def examples_per_second(self) -> float:
        """Return images or whole sequences per second over all chips, dividing tokens by the sequence length."""
        if self.step_time and self.batch:
            return self.batch / self.step_time.amount
        is_in_tokens = self.timing.amount_unit == "token_per_second"
        return self.timing.amount / (self.sequence_length or 1 if is_in_tokens else 1)


class ReportedUtilization(Utilization):
    """A utilization that a source states without a throughput from which it could be computed."""

    row: RowName
    about: str  # the network and the chips, in the source's words
    network: vocabulary.Network | None = Field(default=None, strict=False)
    chip: str | None = None
    precision: vocabulary.Precision | None = Field(default=None, strict=False)


class Rejected(Strict):
    """A published measurement that we examined and do not use."""

    row: str
    reason: vocabulary.Rejection = Field(strict=False)
    note: str


class Task(HasLengths):
    """The network trained in a task's rows, or the reason why its operations cannot be counted."""

    architecture: str | None = None
    network: vocabulary.Network | None = Field(default=None, strict=False)
    sequence_length: Length | None = None
    target_length: Length | None = None
    has_frozen_weights: bool = False
    not_counted: Text | None = None
    predicts: bool = True  # false if its runs did not improve predictions for held-out sources
    note: str | None = None

    @model_validator(mode="after")
    def _is_counted_or_not(self) -> Self:
        is_counted = self.architecture is not None and self.network is not None
        if is_counted == (self.not_counted is not None):
            raise mistake("a task has either architecture and network, or not_counted, the reason")
        return self


class TableRow(Strict):
    """One row of a measurement's table: the median of repeated runs. None means not stated."""

    row: RowName
    submitter: Name
    division: Literal["closed", "open"] | None = None
    task: Name
    chip: Name | None = None
    chips: Annotated[int | None, Field(gt=0, le=10**6)] = None
    nodes: Annotated[int | None, Field(gt=0, le=10**6)] = None
    tensor_parallel: Annotated[int | None, Field(gt=0, le=10**5)] = None
    pipeline_parallel: Annotated[int | None, Field(gt=0, le=10**5)] = None
    expert_parallel: Annotated[int | None, Field(gt=0, le=10**5)] = None
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
            raise mistake("precision and precision_place are given together or not at all")
        return self


class ExecutedPass(Strict):
    """One row of executed_flop.csv: the operations of a pass of a training step, or of a part, by hardware counters."""

    network: Name
    framework: Name
    chip: Name
    case: Name
    pass_kind: Name
    kernels: Annotated[int, Field(gt=0)]
    executed_flop: Annotated[float, Field(gt=0)]
    counted_flop: Annotated[float | None, Field(gt=0)] = None
    tensor_core_fraction: Annotated[float, Field(ge=0, le=1)]
    seconds: Annotated[float | None, Field(gt=0)] = None
    place: Text


class Measurement(Record):
    """A source of measured throughput: its rows, and the tasks in its table (`<id>.csv`)."""

    name: Name
    licence: str
    run: vocabulary.RunKind = Field(strict=False)
    architectures: dict[str, Architecture] = {}
    rows: list[MeasurementRow] = []
    tasks: dict[str, Task] = {}
    reported_utilization: list[ReportedUtilization] = []
    rejected: list[Rejected] = []


class GoldRun(Strict):
    """A whole run with known operations and time: a phase of a model's record, or a run with own facts (`training`)."""

    run: RowName
    evidence: vocabulary.RunEvidence = Field(strict=False)
    hours_cover: vocabulary.HoursCover = Field(strict=False)
    model: str | None = None  # the id of the model whose record states the run's facts
    phase: str | None = None  # the phase of that model
    name: Name | None = None
    published: Date | None = None
    architecture: str | None = None  # a name in the group's record, or the id of a model
    training: Phase | None = None
    note: str | None = None

    @model_validator(mode="after")
    def _has_facts_in_one_place(self) -> Self:
        run_facts = {fact is not None for fact in (self.name, self.published, self.architecture, self.training)}
        model_facts = {fact is not None for fact in (self.model, self.phase)}
        if (run_facts, model_facts) not in (({True}, {False}), ({False}, {True})):
            raise mistake("a run has either model and phase, or name, published, architecture and training")
        return self


class GoldRuns(Record):
    """Gold runs by one owner with one code base. All groups have equal weight."""

    sources: dict[str, Source] = {}
    name: Name
    owner: Name
    licence: str
    # Measurement records, or `record/submitter`, of the same owner and code, which may not predict these runs.
    measured_by: list[str] = []
    architectures: dict[str, Architecture] = {}
    runs: list[GoldRun]
    rejected: list[Rejected] = []
