"""Epoch AI's table of models, in the columns of 2025 and of 2026, converted into our records."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from pipeline.catalogues.cells import Sheet, read_sheet
from pipeline.catalogues.columns import Bad, Columns, Row
from pipeline.catalogues.networks import Networks
from pipeline.catalogues.passes import DataSets
from pipeline.catalogues.quantities import several
from pipeline.catalogues.training import Draft, draft, words_of
from schemas.records import Records


class Part(NamedTuple):
    """Some rows of a file in its order: drafts of those that can be read, and those that cannot."""

    drafts: list[Draft]
    bad: list[Bad]


class Catalogue:
    """Content of a file: its rows, remarks on columns, and the names of base models that rows state.

    What all rows say together is worked out at once; drafts of rows are made where they are taken, so that those of a large file need
    not be in memory together.
    """

    def __init__(self, sheet: Sheet, name: str, records: Records) -> None:
        """The rows of a sheet of the file `name`; chips are looked up in `records`. Raises CatalogueError."""
        self._columns = Columns(sheet.header, name)
        self._networks = Networks()
        self._chips = {spelling: records.hardware[identifier] for spelling, identifier in records.chip_ids().items()}
        self._data_sets = DataSets()
        self.remarks = self._columns.remarks
        self.base_names: set[str] = set()
        self.rows: list[Row | Bad] = [*self._read(sheet)]
        self._sizes = self._data_sets.sizes()

    def _read(self, sheet: Sheet) -> Iterator[Row | Bad]:
        for line in sheet.lines:
            row = self._columns.row(line)
            if isinstance(row, Row):
                self._data_sets.add(row)
                self.base_names.update(several(row["base_model"]))
            yield row

    def parts(self, rows: Iterable[Row | Bad], size: int) -> Iterator[Part]:
        """Drafts of these rows, of so many at once."""
        taken = iter(rows)
        for first in taken:
            yield self._part(
                chain([first], islice(taken, size - 1))
            )  # which nothing here refers to while the next is made

    def _part(self, rows: Iterable[Row | Bad]) -> Part:
        made = Part([], [])
        for row in rows:
            if isinstance(row, Bad):
                made.bad.append(row)
                continue
            try:
                made.drafts.append(draft(row, self._networks, self._chips, self._sizes))
            except ValidationError as problem:
                made.bad.append(row.bad(words_of(problem)))
        return made

    @cached_property
    def _whole(self) -> Part:
        return self._part(self.rows)

    @property
    def drafts(self) -> list[Draft]:
        """Drafts of all rows that can be read."""
        return self._whole.drafts

    @property
    def bad(self) -> list[Bad]:
        """All rows that cannot be read."""
        return self._whole.bad


def read(path: Path, records: Records) -> Catalogue:
    """The rows of Epoch's CSV; chips are looked up in `records`.

    Raises CatalogueError where the file as a whole cannot be read.
    """
    with read_sheet(path) as sheet:
        return Catalogue(sheet, str(path), records)
