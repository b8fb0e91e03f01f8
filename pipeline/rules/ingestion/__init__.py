"""Tables from records, one function per table: stated facts as they are, null for the rest."""

from enum import StrEnum
from typing import Any

from schemas.facts import Fact, Word

NAMES_SEPARATOR = " | "


def joined(names: list[str]) -> str | None:
    """Join several names in one cell; return None for none.

    >>> joined(["A100", "A100 SXM"]), joined([])
    ('A100 | A100 SXM', None)
    """
    return NAMES_SEPARATOR.join(names) or None


def amount(fact: Fact | None) -> float | None:
    """Return the fact's amount in its unit; None if nothing is stated."""
    return fact.amount if fact else None


def same(record: Any, names: str) -> dict[str, Any]:
    """Return the attributes of a record that have the names of columns; for a fact, its amount or word."""
    return {name: _plain(getattr(record, name)) for name in names.split()}


def _plain(value: Any) -> Any:
    if isinstance(value, Fact):
        return value.amount
    return value.value if isinstance(value, Word | StrEnum) else value
