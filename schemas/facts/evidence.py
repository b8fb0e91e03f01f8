"""The evidence for a fact, and its amount: a value, a range or a bound."""

import math
import re
from contextlib import suppress
from datetime import date
from functools import cached_property
from typing import Annotated, Any, ClassVar, Self

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema, field_validator, model_validator
from pydantic_core import PydanticCustomError

from schemas import units, vocabulary
from schemas.arithmetic import names
from schemas.base_model import Strict
from schemas.limits import FIRST_YEAR, LAST_YEAR, WIDEST_RANGE
from schemas.shorthand import ShorthandError, number

LONGEST_QUOTE_WORDS = 25
DATE = re.compile(r"\d{4}(-\d\d(-\d\d)?)?")


def mistake(message: str) -> PydanticCustomError:
    """Return a pydantic error for a mistake in a record; `message` is shown to the user."""
    return PydanticCustomError("record", "{message}", {"message": message})


def _date(written: str) -> str:
    """Return a date as written, a day, month or year in the allowed years; otherwise raise a mistake."""
    try:
        is_date = (
            DATE.fullmatch(written) and FIRST_YEAR <= date.fromisoformat((written + "-01-01")[:10]).year <= LAST_YEAR
        )
    except ValueError:
        is_date = False
    if not is_date:
        raise mistake(f"{written!r} is not a date; write 2012-12-03, 2012-12 or 2012")
    return written


def _year(written: Any) -> Any:
    # YAML reads a bare 2012 as a number; in a date it is a year.
    return str(written) if isinstance(written, int) and not isinstance(written, bool) else written


Date = Annotated[
    str,
    BeforeValidator(_year),
    AfterValidator(_date),
    WithJsonSchema({"type": ["string", "integer"]}, mode="validation"),
]


# The host has neither a user name, which may look like a host, nor letters that look like others (also as xn--…).
ADDRESS = r"https?://(?:[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*\.)+[A-Za-z0-9]*(?::[0-9]+)?(?:[/?#][!-~]*)?"
SCHEME = re.compile(r"([A-Za-z][\w+.-]*):\S")


class Source(Strict):
    """A publication, table or page from which facts of this record are taken."""

    kind: vocabulary.SourceKind | None = Field(default=None, strict=False)
    title: str
    url: Annotated[str | None, Field(pattern=f"^{ADDRESS}$")] = None
    year: Annotated[int | None, Field(ge=1900, le=LAST_YEAR)] = None

    @property
    def address(self) -> str | None:
        """Return the URL without its version and file format."""
        url = self.url and self.url.rstrip("/").replace("arxiv.org/pdf/", "arxiv.org/abs/")
        return url and re.sub(r"(v\d+)?(\.pdf)?$", "", url)


def _not_blank(text: str) -> str:
    if not text.strip():
        raise mistake("is empty")
    return text


Text = Annotated[str, Field(min_length=1), AfterValidator(_not_blank)]


def _cut(text: str) -> str:
    words = len(text.split())
    if words > LONGEST_QUOTE_WORDS:
        raise mistake(f"has {words} words; a quote has at most {LONGEST_QUOTE_WORDS}")
    return text


QuotedWords = Annotated[Text, AfterValidator(_cut)]


PLACE_AT_COMMIT = r"github:[\w.-]+/[\w.-]+@[0-9a-f]{12,40}:.+"  # a file in a public repository at a commit


def _place(text: str) -> str:
    scheme = SCHEME.match(text)
    is_in_repository = scheme is not None and scheme[1] in ("github", "github-copy")
    if scheme and not is_in_repository and not re.fullmatch(ADDRESS, text):
        raise mistake("is not a plain web address such as https://example.org/page; write é as %C3%A9")
    if is_in_repository and ".." in re.split("[:/]", text):
        raise mistake("leads out of its repository; write the path from the root")
    return text


def _at_commit(place: str) -> str:
    if place.startswith("github:") and not re.fullmatch(PLACE_AT_COMMIT, place, re.DOTALL):
        how = "write github:owner/repository@COMMIT:path, so that the words can be found again"
        raise mistake(f"names no commit; {how}")
    return place


Place = Annotated[Text, AfterValidator(_at_commit)]


class Quote(Strict):
    """Verbatim words from a source, their place (`where`), the copy read (`found_at`) and its kind (`read_in`)."""

    source: str
    where: Text | None = None
    text: QuotedWords
    read_in: vocabulary.ReadIn | None = Field(default=None, strict=False)
    found_at: Annotated[Text, AfterValidator(_place), AfterValidator(_at_commit)]


def _ids(written: Any) -> Any:
    """Return one id or a list of ids as a list. Raise a mistake if it is empty or repeats an id."""
    ids = [written] if isinstance(written, str) else written
    if not isinstance(ids, list) or not all(isinstance(identifier, str) for identifier in ids):
        raise mistake(f"is the id of a quote or a list of ids, not {written!r}")
    if not ids:
        raise mistake("is empty; name a quote, or leave it out")
    repeated = [identifier for index, identifier in enumerate(ids) if identifier in ids[:index]]
    if repeated:
        raise mistake(f"names {repeated[0]!r} twice; keep one")
    return ids


QuoteIds = Annotated[
    list[str],
    BeforeValidator(_ids),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]}),
]


class Seen(Strict):
    """Evidence for a fact: quotes, a table (`via`), a source that nobody opened (only `source`), or the user's word."""

    quote: QuoteIds = []
    source: str | None = None
    via: str | None = None
    derived: str | None = None
    note: str | None = None
    inherited_from: str | None = None  # the record that states the fact, if inherited by `like`

    @property
    def evidence(self) -> vocabulary.Evidence:
        """Return the kind of the best evidence: quoted, otherwise from a table, otherwise unseen or the user's word."""
        if self.quote:
            return vocabulary.Evidence.QUOTED
        if self.via is not None:
            return vocabulary.Evidence.TABLE
        return vocabulary.Evidence.STATED_BY_USER if self.source is None else vocabulary.Evidence.UNSEEN

    @model_validator(mode="after")
    def _is_seen_one_way(self) -> Self:
        """Raise a mistake if a fact names a source besides its quote, or a table without a source."""
        if self.quote and self.source is not None:
            named = " and ".join(map(repr, self.quote))
            raise mistake(
                f"has quote {named} and a source, but the quote already names its source; leave the source out"
            )
        if self.via is not None and not self.quote and self.source is None:
            raise mistake("via needs a source: the publication that the table cites")
        return self


ONE_AMOUNT = "a fact has either value, or low and high, or at_least, or at_most"


class Fact(Seen):
    """A value, a range from `low` to `high`, or a bound (`at_least`, `at_most`), with its origin."""

    unit: ClassVar[str | None] = None
    example_unit: ClassVar[str] = ""  # a usual spelling of the unit, for messages
    alternative_units: ClassVar[tuple[str, ...]] = ()
    largest: ClassVar[float]
    smallest: ClassVar[float]

    def __init_subclass__(cls, **limits: Any) -> None:
        """Set the class variables above from the keywords of a subclass."""
        super().__init_subclass__()
        for name, limit in limits.items():
            setattr(cls, name, limit)

    value: float | str | None = None
    low: float | str | None = None
    high: float | str | None = None
    at_least: float | str | None = None
    at_most: float | str | None = None
    column: str | None = None  # the heading of the number's column in a quoted table

    @property
    def assumptions(self) -> list[str]:
        """Return the names of the record's assumptions that `derived` uses."""
        return names(self.derived) if self.derived is not None else []

    @property
    def evidence(self) -> vocabulary.Evidence:
        """Return ASSUMED if the fact rests only on assumptions, otherwise what `Seen` returns."""
        is_alone = not self.quote and self.via is None and self.source is None
        return vocabulary.Evidence.ASSUMED if is_alone and self.assumptions else super().evidence

    @field_validator("value", "low", "high", "at_least", "at_most", mode="before")
    @classmethod
    def _in_short(cls, written: Any) -> Any:
        """Parse a short form of a unitless count, such as 7.5B or 1,307; amounts with a unit are parsed later."""
        if cls.unit is None and isinstance(written, str):
            with suppress(ShorthandError):
                return number(written)
        return written

    @model_validator(mode="after")
    def _is_one_amount(self) -> Self:
        """Raise a mistake unless a fact has one of value, at_least, at_most, or low with high in a sensible order."""
        is_range = self.low is not None or self.high is not None
        ways = is_range + (self.value is not None) + (self.at_least is not None) + (self.at_most is not None)
        if ways != 1 or None in self.stated:
            raise mistake(ONE_AMOUNT)
        low, high = self.bounds
        if low > high:
            raise mistake(f"low ({self.low}) is above high ({self.high}); swap them")
        if high / low > WIDEST_RANGE:
            raise mistake(f"high is more than {WIDEST_RANGE:g} times low, which is meaningless; leave it out")
        return self

    @cached_property  # faster than pydantic's private attributes
    def _amounts(self) -> list[tuple[float, str | None]]:
        """Return each number in the fact's unit, and the unit as written, if any. Raise a mistake if it is invalid."""
        return [self._read(written) for written in self.stated]

    def _read(self, written: float | str | None) -> tuple[float, str | None]:
        """Return a number in the fact's unit, and its unit as written. Raise a mistake if it is outside the limits."""
        unit_read = None
        if self.unit is None:
            if isinstance(written, str):
                raise mistake(f"{written!r} {_why_text(written)}")
            amount = float(written if written is not None else math.nan)
        elif isinstance(written, str):
            amount, unit_read = self._first_amount(written)
        else:
            raise mistake(
                f"{_plain_text(written)} has no unit; write for example '{_plain_text(written)} {self.example_unit}'"
            )
        if self.smallest <= amount <= self.largest:
            return amount, unit_read
        shown = repr(written) if isinstance(written, str) else _plain_text(written)
        if not math.isfinite(amount):
            raise mistake(f"{shown} is not a finite number; an unknown value is left out")
        if not amount > 0:
            raise mistake(f"{shown} is not above 0; an unknown value is left out")
        unit = f" {self.unit}" if self.unit else ""
        if amount < self.smallest:
            raise mistake(f"{shown} is less than possible ({self.smallest:g}{unit}); an unknown value is left out")
        raise mistake(f"{shown} is more than possible ({self.largest:g}{unit})")

    def _first_amount(self, written: str) -> tuple[float, str]:
        try:
            return units.first_amount(written, [str(self.unit), *self.alternative_units])
        except units.UnitError as problem:
            raise mistake(str(problem)) from None

    @property
    def stated(self) -> list[float | str | None]:
        """Return the numbers that the record states: both ends of a range, otherwise a single number."""
        if self.low is not None or self.high is not None:
            return [self.low, self.high]
        return [self.value if self.value is not None else self.at_least if self.at_least is not None else self.at_most]

    @property
    def numbers(self) -> list[float]:
        """Return the stated numbers without their units."""
        return [float(str(written).split()[0]) for written in self.stated]

    @property
    def is_range(self) -> bool:
        """Return whether both ends are stated."""
        return self.low is not None

    @property
    def bound(self) -> vocabulary.Bound | None:
        """Return which end of a range the source states if it states only one, otherwise None."""
        if self.at_least is not None:
            return vocabulary.Bound.AT_LEAST
        return vocabulary.Bound.AT_MOST if self.at_most is not None else None

    @property
    def amount(self) -> float:
        """Return the value in the fact's unit: the geometric mean of a range's ends, or the one end of a bound."""
        low, high = self.bounds
        return math.sqrt(low * high) if self.is_range else low

    @property
    def bounds(self) -> tuple[float, float]:
        """Return low and high in the fact's unit; without a range, both are the same number."""
        return self._amounts[0][0], self._amounts[-1][0]

    @property
    def amount_unit(self) -> str | None:
        """Return the unit of `amount`."""
        return self._amounts[-1][1] or self.unit

    @property
    def written(self) -> str:
        """Return the value as written in the record."""
        shown = " to ".join(map(_plain_text, self.stated))
        return f"{self.bound.replace('_', ' ')} {shown}" if self.bound else shown


def _plain_text(written: float | str | None) -> str:
    return written if isinstance(written, str) else f"{written:.15g}"


def _why_text(written: str) -> str:
    if re.fullmatch(r"[-+]?\.?(nan|inf|infinity)", written, re.IGNORECASE):
        return "is not a finite number; an unknown value is left out"
    return "is not a number; write for example 7.5B, 350k or 1.5e12"
