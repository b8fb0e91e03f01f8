"""Tables made from records, one function per table, with facts as stated and null for facts that are not stated."""

from enum import StrEnum
from typing import Any

from schemas.facts import Fact, Word

NAMES_SEPARATOR = " | "


def joined(names: list[str]) -> str | None:
    """Join names into one cell; return None if there are none.

    >>> joined(["A100", "A100 SXM"]), joined([])
    ('A100 | A100 SXM', None)
    """
    return NAMES_SEPARATOR.join(names) or None


def amount(fact: Fact | None) -> float | None:
    """Return the fact's amount in its unit; None if nothing is stated."""
    return fact.amount if fact else None


def same(record: Any, names: str) -> dict[str, Any]:
    """Return the record's attributes with these names as columns. A fact becomes its amount or word."""
    return {name: _plain(getattr(record, name)) for name in names.split()}


def _plain(value: Any) -> Any:
    if isinstance(value, Fact):
        return value.amount
    return value.value if isinstance(value, Word | StrEnum) else value
