"""The declaration of a table's contract."""

from collections.abc import Mapping
from typing import NamedTuple


class Table(NamedTuple):
    """A table: what a row is, its grain, its columns, and what null means if the column's meaning does not fit."""

    row: str
    grain: str
    columns: str
    nulls: Mapping[str, str] = {}
