"""The rows of another catalogue's table: a draft record for each row that can be read, and the other rows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from schemas.records import Model
from schemas.vocabulary import Domain

LONGEST_SHOWN = 200  # characters shown of a cell in a row that could not be read


class Row(NamedTuple):
    """One row: the non-empty cells that we read, by our names for their columns.

    `numbers` holds the values of numeric cells, `published` the date, and `unread` one sentence per unreadable cell.
    """

    source_row: int
    cells: dict[str, str]
    numbers: dict[str, float]
    published: str | None
    unread: list[str]
    readings: Mapping[str, str] = {}  # figures read in the row's notes, by their names

    def __getitem__(self, name: str) -> str:  # type: ignore[override]
        return self.cells.get(name, "")

    def number(self, name: str) -> float | None:
        """Return the number in a cell, or None if it is empty or cannot be read."""
        return self.numbers.get(name)

    def reading(self, figure: str) -> float | None:
        """Return a figure read in the row's notes, or None."""
        return float(self.readings[figure]) if figure in self.readings else None

    def bad_row(self, reason: str) -> "Bad":
        """Return the row as one that could not be read, for this reason."""
        return Bad.from_cells(self.source_row, self.cells, reason)

    @property
    def name(self) -> str:
        """Return the model's name on one line."""
        return " ".join(self["name"].split())


class Bad(NamedTuple):
    """A row that could not be read, and why. `cells` holds the non-empty cells that we read."""

    source_row: int
    name: str
    reason: str
    cells: dict[str, str]

    @classmethod
    def from_cells(cls, source_row: int, cells: dict[str, str], reason: str) -> "Bad":
        """Return a bad row with these cells, shortening each cell."""
        name = " ".join(cells.get("name", "").split())[:LONGEST_SHOWN]
        return cls(source_row, name, reason, {key: cell[:LONGEST_SHOWN] for key, cell in cells.items()})


@dataclass(slots=True)
class Draft:
    """The record of a row's own training, without base models. `missing` lists what the row lacks for an estimate."""

    row: Row
    model: Model | None
    bases: list[str]
    parameters: float | None
    tokens: float | None  # tokens seen by a text model
    domain: Domain
    rules: list[str] = field(default_factory=list)
    missing: str = ""
    record: str | None = None  # the id of this row's model in the ledger

    @property
    def model_id(self) -> str:
        """Return the id of the row's model during estimation."""
        return f"catalogue-row-{self.row.source_row}"


class Catalogue(NamedTuple):
    """The content of a file: remarks on its columns, drafts of the rows that can be read, and the rows that cannot."""

    remarks: list[str]
    drafts: list[Draft]
    bad: list[Bad]
