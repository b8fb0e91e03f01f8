"""Blind second readings: facts that a reader found without having seen our records, and how differences were settled."""

from functools import cached_property
from typing import Self

from pydantic import Field, model_validator

from schemas import vocabulary
from schemas.facts import Fact, QuotedWords, Text, mistake
from schemas.strict import Strict

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
    place: Text | None = None

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
    place: list[Text] = []
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
        is_found = self.word is not None or self.amount is not None
        if is_found == self.not_found:
            raise mistake("has either what was read, or not_found: true")
        if is_found and (self.word is not None) != (self.path in WORD_PATHS):
            raise mistake(f"{self.path} is a {'word' if self.path in WORD_PATHS else 'number'}")
        if self.amount and self.unit is None:
            raise mistake("has no unit; write for example unit: token")
        usual_unit = vocabulary.READ_UNITS.get(self.path)
        if self.amount and usual_unit and self.unit != usual_unit:
            raise mistake(f"{self.path} is in {usual_unit}, not {self.unit!r}")
        if is_found and not (self.words and self.place):
            raise mistake("needs words of the source, and the place where they were read")
        return self


class ReadModel(Strict):
    """The sources that one reader opened for a model, and the facts read there."""

    opened: list[Text]
    not_opened: list[Text] = []
    note: Text | None = None
    facts: list[Reading]
