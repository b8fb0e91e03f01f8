"""Convert Epoch AI's table of models, with its columns of 2025 or 2026, into our records."""

from pathlib import Path

from pydantic import ValidationError

from pipeline.catalogues.epoch.columns import rows_of
from pipeline.catalogues.epoch.passes import data_set_sizes
from pipeline.catalogues.epoch.training import draft, words_of
from pipeline.catalogues.rows import Catalogue
from pipeline.catalogues.sheets import Sheet, read_sheet
from pipeline.records import params
from schemas.records import Records


def read(path: Path, records: Records) -> Catalogue:
    """Return the rows in Epoch's CSV file, with their chips looked up in `records`.

    Raise CatalogueError if the whole file cannot be read.
    """
    return read_rows(read_sheet(path), str(path), records)


def read_rows(sheet: Sheet, name: str, records: Records) -> Catalogue:
    """Return the rows of a sheet, which may combine tables; `name` is its name in messages. Raise CatalogueError."""
    rows, bad, remarks = rows_of(sheet, name)
    sizes = data_set_sizes(rows)
    chips = {spelling: records.hardware[identifier] for spelling, identifier in records.chip_ids().items()}
    drafts, slowest = [], params.load().reconcile.min_dense_utilization
    for row in rows:
        try:
            drafts.append(draft(row, chips, sizes, slowest))
        except ValidationError as problem:
            bad.append(row.bad_row(words_of(problem)))
    return Catalogue(remarks, drafts, bad)
