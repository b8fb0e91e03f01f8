"""Several tables of Epoch's merged into one: which rows are the same model, and which cells it gets."""

import pytest

from pipeline.base.paths import snapshots
from pipeline.catalogues.epoch import columns
from pipeline.catalogues.epoch.tables import merge
from pipeline.catalogues.sheets import CatalogueError, read_sheet

NOTABLE = """Model,Organization,Publication date,Domain,Parameters,Training dataset size (total),Dataset size notes,Training hardware
One 7B,Lab,2026-01-01,Language,7e9,,,
"Two
3B",Lab,2026-02-01,Language,3e9,5e11,1000 words [WORDS],
"""
LARGE = """Model,Organization,Publication date,Domain,Parameters,(DEPRECATED) Training dataset size (datapoints),Dataset size notes,Training hardware
One-7B,Lab,2026-01-01,Vision,7e9,2e12,[WORDS],
One 7B,Another lab,2026-01-01,Language,7e9,,,
Two 3B,Lab,2026-02-01,Language,3e9,,,
,Lab,2026-01-01,Language,7e9,,,
"""


@pytest.fixture
def tables(tmp_path):
    for name, text in (("epoch_notable", NOTABLE), ("epoch_large_scale", LARGE)):
        (tmp_path / f"{name}.csv").write_text(text)
    return [tmp_path / "epoch_notable.csv", tmp_path / "epoch_large_scale.csv"]


def test_a_model_is_once_by_its_words_and_organization(tables):
    rows = columns.rows_of(merge(tables), "tables").rows
    assert [(row.source_row, row.name, row["organization"], row["epoch_tables"]) for row in rows] == [
        (1, "One 7B", "Lab", "epoch_notable epoch_large_scale"),
        (2, "Two 3B", "Lab", "epoch_notable epoch_large_scale"),  # a line break is a space
        (3, "One 7B", "Another lab", "epoch_large_scale"),
    ]


def test_a_cell_is_the_first_that_is_filled_and_keeps_its_column(tables):
    one, two, _ = columns.rows_of(merge(tables), "tables").rows
    assert (one["domain"], one.number("datapoints"), two.number("datapoints")) == ("Language", 2e12, 5e11)


def test_tables_of_last_months_columns_are_refused(tables):
    for path in tables:
        path.write_text(path.read_text().replace("Training dataset size", "Data"))
    with pytest.raises(CatalogueError, match="tables:1 lacks the column 'Training dataset size"):
        columns.rows_of(merge(tables), "tables")


def test_every_model_of_the_snapshots_is_there_once():
    sheets = {path.stem: read_sheet(path) for path in snapshots()}
    assert [*sheets] == ["epoch_notable", "epoch_large_scale", "epoch_benchmarked"]
    names = {" ".join(cells["Model"].split()) for sheet in sheets.values() for cells in sheet.by_header()} - {""}
    rows, bad, _ = columns.rows_of(merge(snapshots()), "tables")
    assert bad == []
    assert len(names) - len({row.name for row in rows}) <= 2  # two are spelled in two ways
