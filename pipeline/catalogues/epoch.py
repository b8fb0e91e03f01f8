"""Epoch AI's table of models, in the columns of 2025 and of 2026, converted into our records."""

from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from pipeline.catalogues.cells import read_sheet
from pipeline.catalogues.columns import Bad, rows_of
from pipeline.catalogues.networks import Networks
from pipeline.catalogues.passes import data_sets
from pipeline.catalogues.training import Draft, draft, words_of
from schemas.records import Records


@dataclass(frozen=True)
class Catalogue:
    """Content of a file: a draft of every row that can be read, the rows that cannot, and remarks on columns."""

    drafts: list[Draft]
    bad: list[Bad]
    remarks: list[str]


def read(path: Path, records: Records) -> Catalogue:
    """The rows of Epoch's CSV; chips are looked up in `records`.

    Raises CatalogueError where the file as a whole cannot be read.
    """
    rows = rows_of(read_sheet(path), str(path))
    networks = Networks()
    chips = {spelling: records.hardware[identifier] for spelling, identifier in records.chip_ids().items()}
    sets = data_sets(rows.rows)
    drafts, bad = [], list(rows.bad)
    for row in rows.rows:
        try:
            drafts.append(draft(row, networks, chips, sets))
        except ValidationError as problem:
            bad.append(row.bad(words_of(problem)))
    return Catalogue(drafts, sorted(bad), rows.remarks)
