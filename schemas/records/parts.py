"""Names, assumptions, and the fields that all records share."""

import math
import re
from typing import Annotated, ClassVar, Self

from pydantic import AfterValidator, Field, WithJsonSchema, model_validator

from schemas import vocabulary
from schemas.arithmetic import NUMBER_WORDS
from schemas.base_model import Strict
from schemas.facts import Date, Fact, Quote, Seen, Source, Text, mistake
from schemas.limits import LARGEST_FLOP, LONGEST_NAME, WIDEST_RANGE
from schemas.spelling import LONGEST_WORD

Format = Annotated[vocabulary.Precision, Field(strict=False)]
IDENTIFIER = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def _name(written: str) -> str:
    if "|" in written:
        raise mistake(f"{written!r} has a |, which joins several names in tables; state each separately")
    if len(written) > LONGEST_NAME:
        raise mistake(f"has {len(written):,} characters; a name has at most {LONGEST_NAME}")
    return written


Name = Annotated[Text, AfterValidator(_name)]
Identifier = Annotated[str, Field(pattern=rf"^{IDENTIFIER.pattern}$", max_length=LONGEST_WORD)]
# The name of a measured or logged run, unique in its record.
RowName = Annotated[str, Field(pattern=r"^[a-z0-9]+([-_.][a-z0-9]+)*$")]


class HasLengths(Strict):
    """Base class for records that may state the length of their sequences."""

    @property
    def sequence_lengths(self) -> tuple[float | None, float | None]:
        """Return the lengths of a sequence and its target, as integers if they are whole, so that counts stay exact."""
        stated = (getattr(self, name) for name in ("sequence_length", "target_length"))  # fields of the subclasses
        amounts = (length.amount if isinstance(length, Fact) else length for length in stated)
        first, second = (int(length) if length is not None and length == int(length) else length for length in amounts)
        return first, second


class Record(Strict):
    """The fields that all records share."""

    file_name: ClassVar[re.Pattern[str]] = IDENTIFIER  # the id, which is the file name without extension

    reviewed: Date | None = None  # when a second person compared the record with its sources
    sources: Annotated[dict[str, Source], Field(min_length=1)]
    quotes: dict[Identifier, Quote] = {}
    note: str | None = None

    def quotes_of(self, fact: Seen) -> list[Quote]:
        """Return the quotes that a fact names, in order."""
        return [quote for name in fact.quote if (quote := self.quotes.get(name))]


def _assumption_name(written: str) -> str:
    """Return the name, or raise a mistake if arithmetic could not use it: if it is malformed or a number word."""
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
    """A factor in `derived` that no source states: a range, or a value with a range or log standard deviation."""

    value: Positive | None = None
    log_sd: Annotated[float | None, Field(gt=0, le=math.log(WIDEST_RANGE) / 4)] = None
    low: Positive | None = None
    high: Positive | None = None
    reason: Text

    @model_validator(mode="after")
    def _has_a_width(self) -> Self:
        """Raise a mistake unless an assumption has a range, or a value with a standard deviation."""
        keys = {name for name in ("value", "log_sd", "low", "high") if getattr(self, name) is not None}
        if keys - {"value"} != {"low", "high"} and keys != {"value", "log_sd"}:
            raise mistake("an assumption has low and high, with or without a value, or value and log_sd")
        if self.low is not None and self.high is not None and self.high > WIDEST_RANGE * self.low:
            raise mistake(f"high is more than {WIDEST_RANGE:g} times low, which is meaningless")
        if self.low is not None and self.high is not None and self.low >= self.high:
            raise mistake(f"low ({self.low:g}) is not below high ({self.high:g}); swap them, or write value and log_sd")
        return self

    @property
    def written(self) -> str:
        """Return the assumption as readers see it."""
        return " to ".join(f"{end:.6g}" for end in dict.fromkeys(self.ends))

    @property
    def ends(self) -> tuple[float, float]:
        """Return low and high; for a single value, both are the value."""
        pair = (self.low, self.high) if self.value is None else (self.value, self.value)
        low, high = (end or math.nan for end in pair)
        return low, high
