"""Tables made from records, one function per table, with facts as stated and null for facts that are not stated."""

from typing import Any

from schemas.facts import Fact, Seen, Word
from schemas.records import Record
from schemas.vocabulary import NAMES_SEPARATOR


def cell_of(names: list[str]) -> str | None:
    """Join names into one cell; return None if there are none.

    >>> cell_of(["A100", "A100 SXM"]), cell_of([])
    ('A100 | A100 SXM', None)
    """
    return NAMES_SEPARATOR.join(names) or None


def value_of(value: Any) -> Any:
    """Return the amount of a fact (in its unit) or the word that it states; return any other value unchanged."""
    if isinstance(value, Fact):
        return value.amount
    return value.value if isinstance(value, Word) else value


def columns(record: Any, names: str = "", **attributes: str) -> dict[str, Any]:
    """Return attributes of a record as columns of the same name, or `column="attribute"`; null without a record."""
    attributes |= {name: name for name in names.split()}
    return {column: record and value_of(getattr(record, attribute)) for column, attribute in attributes.items()}


def origin(record: Record, fact: Seen) -> dict[str, Any]:
    """Return the source of a fact and its first quote as columns. A table ignores columns that it does not have."""
    key = record.source_of(fact)
    source, quote = record.sources.get(key or ""), next(iter(record.quotes_of(fact)), None)
    return {"source": key, **columns(source, "title url"), **columns(quote, "text found_at", locator="where")}
