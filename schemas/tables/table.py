"""The declaration of a table's contract."""

from collections.abc import Mapping
from typing import NamedTuple


class Table(NamedTuple):
    """A table: what a row is, its grain, its columns, and what null means in columns whose declared meaning of null does not fit the table."""

    row: str
    grain: str
    columns: str
    nulls: Mapping[str, str] = {}
