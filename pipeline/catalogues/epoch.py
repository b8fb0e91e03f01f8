"""Epoch AI's table of models, in the columns of 2025 and of 2026, converted into our records."""

from pathlib import Path

from pydantic import ValidationError

from pipeline.catalogues.cells import Sheet, read_sheet
from pipeline.catalogues.columns import Bad, Columns
from pipeline.catalogues.networks import Networks
from pipeline.catalogues.passes import DataSets
from pipeline.catalogues.training import Draft, draft, words_of
from schemas.records import Records


class Catalogue:
    """Content of a file: remarks on its columns, drafts of the rows that can be read, and the rows that cannot."""

    def __init__(self, sheet: Sheet, name: str, records: Records) -> None:
        """The rows of a sheet of the file `name`; chips are looked up in `records`. Raises CatalogueError."""
        columns, networks, data_sets = Columns(sheet.header, name), Networks(), DataSets()
        chips = {spelling: records.hardware[identifier] for spelling, identifier in records.chip_ids().items()}
        self.remarks = columns.remarks
        self.drafts: list[Draft] = []
        self.bad: list[Bad] = []
        rows = []
        for row in map(columns.row, sheet.lines):
            if isinstance(row, Bad):
                self.bad.append(row)
            else:
                data_sets.add(row)
                rows.append(row)
        sizes = data_sets.sizes()  # what all rows say together
        for row in rows:
            try:
                self.drafts.append(draft(row, networks, chips, sizes))
            except ValidationError as problem:
                self.bad.append(row.bad(words_of(problem)))


def read(path: Path, records: Records) -> Catalogue:
    """The rows of Epoch's CSV; chips are looked up in `records`.

    Raises CatalogueError where the file as a whole cannot be read.
    """
    with read_sheet(path) as sheet:
        return Catalogue(sheet, str(path), records)
