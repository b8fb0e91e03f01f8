"""The declaration of a table's contract."""

from collections.abc import Mapping
from typing import NamedTuple


class Table(NamedTuple):
    """A table: what a row is, its grain, its columns, and what null means if the column's meaning does not fit.

    `order` is the SQL order of rows in published files, if it is not the grain.
    """

    row: str
    grain: str
    columns: str
    nulls: Mapping[str, str] = {}
    order: str = ""
