"""One contract per table: what a row is, the columns that identify it, and all columns in order.

Columns are declared in schemas/columns. `?` marks a column that may be null, with the meaning in its declaration unless
the table gives another; `name=column` gives a column another name in the table.
"""

from functools import cache
from typing import NamedTuple

from schemas import spelling
from schemas.columns import COLUMNS, Column
from schemas.tables import comparisons, estimates, facts, releases

TABLES = facts.TABLES | estimates.TABLES | comparisons.TABLES | releases.TABLES


class Place(NamedTuple):
    """A column in a table, and what null means there; None if null is not allowed."""

    column: Column
    null: str | None

    @property
    def description(self) -> str:
        """Describe the column, adding when it is null if the meaning of null is a condition.

        >>> columns_of("models")["hardware"].description
        'Chips that trained the model, joined by +; null if not stated.'
        """
        described, null = self.column.description, self.null or ""
        is_condition = null.startswith(("If ", "For "))
        return f"{described.removesuffix('.')}; null {null[0].lower()}{null[1:]}" if is_condition else described


@cache
def columns_of(name: str) -> dict[str, Place]:
    """Return the columns of a table by their names in the table. Raise LookupError if there is no such table."""
    if name not in TABLES:
        raise LookupError(f"{name!r} is not a table{spelling.nearest(name, TABLES)}")
    table, places = TABLES[name], dict[str, Place]()
    for written in table.columns.split():
        local_name, _, shared = written.removesuffix("?").partition("=")
        column = COLUMNS[shared or local_name]
        places[local_name] = Place(column, table.nulls.get(local_name, column.null) if written.endswith("?") else None)
    return places


def grain(name: str) -> tuple[str, ...]:
    """Return the columns that identify one row of a table; a table is sorted by them."""
    return tuple(TABLES[name].grain.split())
