"""The facts that a record quotes from a publication, by kind: what candidates are compared with."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.drafting import kinds
from pipeline.drafting.locating import Index, Match, letters
from schemas import records as schema
from schemas.facts import Fact
from schemas.records import Model, Records, Setting

# Arithmetic that proposals.py is meant for: sequences times their length, nodes times chips, cores over two, times the batch.
NAMED = re.compile(r"\d[\d.e]*(?:\*\d[\d.e]*){1,2}\*?|\d[\d.e]*\*?/2|\d[\d.e]*\*?/\d[\d.e]*\*?")
NAMED_KINDS = ("batch", "chips", "examples", "epochs", "feed_forward_width", "sequence_length", "steps")


@dataclass(frozen=True)
class Known:
    """A fact that a record quotes from a paper. `sort` is as_is, definition, arithmetic or absent (its words are not in this text)."""

    model: str
    paper: str
    path: str
    kind: str
    values: tuple[float | str, ...]
    sort: str


def kind_of(path: str) -> str | None:
    """The kind of a fact by its path in a record; None where it is none of the twenty."""
    last = re.sub(r" \(\d+\)$", "", path).split(".")[-1]
    last = re.sub(r"\[\d+\]$", "", last)
    return last if last in kinds.BY_NAME else None


def known_facts(identifier: str, record: Model, paper: str, source: str, index: Index) -> Iterator[Known]:
    """The facts of the twenty kinds that a record quotes from this source."""
    located = {name: index.locate(quote.text).match for name, quote in record.quotes.items() if quote.source == source}
    for path, fact in schema.facts(record):
        kind = kind_of(path)
        if kind is None or not fact.quote or not any(name in located for name in fact.quote):
            continue
        values = _values(fact)
        if not values:
            continue
        own = [located[name] for name in fact.quote if name in located]
        sort = "absent" if all(match is Match.ABSENT for match in own) else _sort(kind, fact, values)
        yield Known(identifier, paper, path, kind, values, sort)


def _values(fact: object) -> tuple[float | str, ...]:
    if isinstance(fact, Setting):
        return (float(fact.value),) if re.fullmatch(r"\d+(\.\d+)?", fact.value) else ()
    if isinstance(fact, Fact):
        return tuple(dict.fromkeys(bound for bound in (*fact.bounds, fact.amount) if math.isfinite(bound)))
    return (str(getattr(fact, "value", "")),)


def _sort(kind: str, fact: object, values: tuple[float | str, ...]) -> str:
    derived = getattr(fact, "derived", None) or ""
    if (
        kind == "epochs"
        and values == (1.0,)
        and ("/" in derived or "definition" in (getattr(fact, "note", None) or ""))
    ):
        return "definition"
    derived = re.sub(r"\b2\*\*\d+", "2", derived)  # 2^20 is one figure, as the text has it
    plain = re.sub(r"\b(?:1e\d+|10\*\*\d+|1000|100|3600|10\*\*-\d+)\b", "", derived.replace("(", "").replace(")", ""))
    if len(re.findall(r"\d[\d.]*", plain)) < 2:
        return "as_is"
    is_named = NAMED.fullmatch(plain.replace(" ", "").replace("**", "*").strip("*"))
    return "named arithmetic" if is_named and kind in NAMED_KINDS else "arithmetic"


def others_of(records: Records, name: str) -> frozenset[str]:
    """First words of the ledger's other models, which may be named in a publication."""
    words = {_first_word(model.name) for model in records.models.values()}
    own = letters(_first_word(name))
    return frozenset(word for word in words if len(word) >= 3 and letters(word) != own and not word.islower())


def _first_word(name: str) -> str:
    return re.split(r"[\s\-_/(]", name)[0]
