"""What a column is; the checks and the sorts of columns that several share."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import Any, Literal

from schemas import vocabulary
from schemas.limits import LARGEST_EXAMPLES, LARGEST_FLOP, LARGEST_LOG_SD, LARGEST_PEAK_FLOP_PER_SECOND

Kind = Literal["text", "number", "whole number", "true or false", "date"]
Form = Literal[
    "words",
    "verbatim",
    "format",
    "flop",
    "count",
    "percent",
    "energy",
    "money",
    "mass",
    "probability",
    "ratio",
    "day",
    "yes or no",
]


@dataclass(frozen=True, eq=False)
class Column:
    """Meaning of a column. `unit`, where there is one, is the last word of its name; `checks` are those of pandera by name.

    `label` names the column for a reader, `form` is how pipeline/text/cells.py writes its values, and `words` are what they say, where they are words.
    """

    kind: Kind
    description: str
    unit: str | None = None
    checks: Mapping[str, Any] = field(default_factory=dict)
    label: str | None = None
    form: Form = "words"
    words: Mapping[Any, str] = field(default_factory=dict)

    def __call__(self, null: str | None = None) -> Any:
        """The column in one table, as a field of pandera; it may be null where a sentence says what that means."""
        import pandera.pandas as pandera

        checks = dict(self.checks)
        if self.kind == "number":  # NaN and infinity lie within no finite bounds
            checks |= {} if {"gt", "ge"} & checks.keys() else {"gt": -math.inf}
            checks |= {} if {"lt", "le"} & checks.keys() else {"lt": math.inf}
        meaning = {"column": self, "null": null}
        return pandera.Field(nullable=null is not None, description=self.description, metadata=meaning, **checks)


def sentences(kind: type[vocabulary.Worded]) -> dict[str, str]:
    """What each word says to a reader, where it says anything."""
    return {word.value: word.words for word in kind if word.words}


def in_short(kind: type[vocabulary.Worded]) -> dict[str, str]:
    """The same in few words."""
    return {word.value: word.short for word in kind}


IDENTIFIER = {"str_matches": r"^[a-z0-9]+(-[a-z0-9]+)*$"}
DAY = {"str_matches": r"^\d{4}(-\d{2}){0,2}$"}
POSITIVE = {"gt": 0}
NOT_NEGATIVE = {"ge": 0}
FRACTION = {"gt": 0, "le": 1}
SHARE = {"ge": 0, "le": 1}
EXAMPLES = {"gt": 0, "lt": LARGEST_EXAMPLES}
FLOP = {"gt": 0, "lt": LARGEST_FLOP}
PEAK = {"gt": 0, "lt": LARGEST_PEAK_FLOP_PER_SECOND}
LOG_SD = {"ge": 0, "lt": LARGEST_LOG_SD}


def one_of(kind: type[StrEnum], description: str, **more: Any) -> Column:
    """A column whose values are words of a vocabulary."""
    return Column("text", description, checks={"isin": [word.value for word in kind]}, **more)


flag = partial(Column, "true or false")
identifier = partial(Column, "text", checks=IDENTIFIER)
day = partial(Column, "text", checks=DAY)
count = partial(Column, "whole number", checks=POSITIVE)
index = partial(Column, "whole number", checks=NOT_NEGATIVE)
positive = partial(Column, "number", checks=POSITIVE)
flop = partial(Column, "number", unit="flop", checks=FLOP, form="flop")
peak = partial(Column, "number", unit="flop_per_second", checks=PEAK)
usd = partial(Column, "number", unit="usd", checks=POSITIVE)
fraction = partial(Column, "number", unit="fraction", checks=FRACTION)
share = partial(Column, "number", unit="fraction", checks=SHARE)
deviation = partial(Column, "number", checks=LOG_SD)  # of a natural logarithm
