"""Tables made from records, one function per table, with facts as stated and null for facts that are not stated."""

from typing import Any

from pipeline.base.text import numerals
from schemas.arithmetic import numbers
from schemas.facts import Fact, Quote, Seen, Word
from schemas.records import Record, Utilization
from schemas.vocabulary import NAMES_SEPARATOR, OF_MAKERS, SourceKind


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


def kind_of(record: Record, source: str | None) -> SourceKind | None:
    """Return whose words a source contains; None for a user's own record."""
    return record.sources[source].kind if source in record.sources else None


def is_of_makers(record: Record, source: str | None) -> bool:
    """Return whether the makers, or a user, state what a source contains."""
    return kind_of(record, source) in (None, *OF_MAKERS)


def deciding_quote(record: Record, fact: Seen) -> Quote | None:
    """Return the quote that says who states a fact.

    It is the makers' first quote if theirs contain the figures, the weakest source's if only others' contain one of
    them, and the first quote otherwise.
    """
    quotes = record.quotes_of(fact)
    makers = [quote for quote in quotes if is_of_makers(record, quote.source)]
    others = [quote for quote in quotes if quote not in makers]
    if not others:
        return next(iter(makers), None)
    if makers:
        stated = {*fact.numbers} if isinstance(fact, Fact) else numerals.digits([str(getattr(fact, "value", ""))])
        needed = {float(number) for number in numbers(fact.derived or "")} or stated
        lacking = needed - _figures(makers)
        # The peak in a utilization is a chip's, whoever states it.
        is_stated = not lacking or stated and stated <= _figures(makers) or isinstance(fact, Utilization)
        if needed and is_stated:
            return makers[0]
        if not lacking & _figures(others):
            return quotes[0]
    return max(others, key=lambda quote: [*SourceKind].index(record.sources[quote.source].kind))


def source_of(record: Record, fact: Seen) -> str | None:
    """Return the key of a fact's source; None if the user states the fact."""
    quote = deciding_quote(record, fact)
    return quote.source if quote else fact.source


def origin(record: Record, fact: Seen) -> dict[str, Any]:
    """Return the source of a fact and the quote that decides it as columns; a table takes those that it has."""
    quote = deciding_quote(record, fact)
    key = quote.source if quote else fact.source
    source = record.sources.get(key or "")
    return {"source": key, **columns(source, "title url"), **columns(quote, "text found_at", locator="where")}


def _figures(quotes: list[Quote]) -> set[float]:
    texts = [quote.text for quote in quotes]
    return numerals.worths(texts) | numerals.digits(texts)
