"""Training phases, their chips and their networks."""

from contextlib import suppress
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from schemas import vocabulary
from schemas.base_model import Strict
from schemas.facts import (
    Chips,
    ChipTime,
    Count,
    Duration,
    Epochs,
    Length,
    Overhead,
    Peak,
    PrecisionWord,
    Seen,
    Utilization,
    Word,
)
from schemas.limits import MOST_ALLOCATIONS
from schemas.records.parts import HasLengths
from schemas.shorthand import ShorthandError, number
from schemas.spelling import LONGEST_WORD


class Allocation(Strict):
    """Chips that a training phase uses, and for how long."""

    chip: Word | None = None
    peak: Peak | None = None  # of a chip that has no record, at the precision of the phase
    chips: Chips | None = None
    duration: Duration | None = None
    chip_time: ChipTime | None = None
    is_from_operations: bool = False  # the source derived the time from operations, so the methods are not independent
    note: str | None = None

    @model_validator(mode="after")
    def _check_peak(self) -> Self:
        if self.chip and self.peak:
            raise ValueError("peak is only for a chip without a record")
        return self

    def chip_seconds(self, cores_per_chip: float | None) -> float | None:
        """Return the stated chip time, otherwise chips x duration.

        Return None if neither is known, or if core time is stated and `cores_per_chip` is unknown.
        """
        if self.chip_time is None:
            return self.chips.amount * self.duration.amount if self.chips and self.duration else None
        if self.chip_time.amount_unit != "core_second":
            return self.chip_time.amount
        return self.chip_time.amount / cores_per_chip if cores_per_chip else None


class Covered(Seen):
    """Evidence for the architecture's numbers listed in `covers`."""

    covers: list[str]


class Architecture(BaseModel):
    """A family, its numbers (checked by pipeline/architectures) and the evidence for them."""

    model_config = ConfigDict(extra="allow", strict=True)

    family: str
    source: str | None = None  # for the settings that `evidence` does not cover
    evidence: list[Covered] = []
    note: str | None = None

    @property
    def settings(self) -> dict[str, Any]:
        """Return the family and its numbers."""
        return {"family": self.family, **(self.model_extra or {})}


SEEN = "seen"


def _allow_seen(schema: dict[str, Any]) -> None:
    schema["anyOf"].append({"const": SEEN})


class Phase(HasLengths):
    """A part of training with one kind of data, one sequence length and one precision."""

    phase: Annotated[str, Field(pattern=r"^[a-z0-9]+([-_][a-z0-9]+)*$", max_length=LONGEST_WORD)]
    accounting: vocabulary.Accounting | None = Field(default=None, strict=False)  # None if not stated
    example_unit: vocabulary.ExampleUnit = Field(strict=False)
    examples: Count | None = None
    epochs: Annotated[Epochs | None, Field(json_schema_extra=_allow_seen)] = None
    steps: Count | None = None
    batch: Count | None = None
    sequence_length: Length | None = None
    target_length: Length | None = None
    precision: PrecisionWord | None = None
    framework: Word | None = None
    utilization: Utilization | None = None
    facility_overhead: Overhead | None = None  # of the data centre in which the phase ran
    architecture: Architecture | None = None  # if the phase does not train the model's own network
    is_forward_only: bool = False  # no backward pass: generation of experience, or a frozen teacher or encoder
    has_frozen_weights: bool = False  # only adapters are trained; the network's own weights have no gradient
    hardware: Annotated[list[Allocation], Field(max_length=MOST_ALLOCATIONS)] = []
    timed_with: str | None = None  # the phase whose stated hardware and time include this phase
    note: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _seen_once(cls, written: Any) -> Any:
        """Replace `epochs: seen` by one epoch over `examples`, which are then the examples seen in training."""
        if (
            not isinstance(written, dict)
            or written.get("epochs") != SEEN
            or not isinstance(written.get("examples"), dict)
        ):
            return written
        examples = written["examples"]
        same = {key: examples[key] for key in ("quote", "source", "via", "inherited_from") if key in examples}
        amount = next((examples[key] for key in ("value", "low", "at_least", "at_most") if key in examples), None)
        with suppress(ShorthandError):  # another check reports examples that are not a number
            amount = number(str(amount))
        return written | {
            "epochs": {
                "value": 1,
                **same,
                "derived": f"{amount} / {amount}",
                "note": "Seen in training, so one pass by definition.",
            }
        }

    @property
    def examples_seen(self) -> float | None:
        """Return examples x epochs, otherwise steps x batch; None if neither is stated."""
        if self.examples and self.epochs:
            return self.examples.amount * self.epochs.amount
        return self.steps.amount * self.batch.amount if self.steps and self.batch else None

    @property
    def passes_per_example(self) -> float | None:
        """Return the network's runs per example: below 1 for a token; None if the sequence length is unknown."""
        if self.example_unit not in (vocabulary.ExampleUnit.TOKEN, vocabulary.ExampleUnit.WORD):
            return 1.0
        return 1 / self.sequence_length.amount if self.sequence_length else None
