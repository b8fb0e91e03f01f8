"""The public snapshots of Epoch's table, converted into our records."""

import csv

import pytest

from pipeline.base.paths import ROOT
from pipeline.catalogues import epoch
from pipeline.catalogues.epoch.columns import READ, rows_of
from pipeline.catalogues.sheets import read_sheet
from schemas.records import Model
from tests.builders import TEXT_ROW, TIMED_ROW, epoch_table

SNAPSHOT = ROOT / "data/snapshots/epoch_notable.csv"


def test_the_public_snapshot_is_read_whole(records):
    read = epoch.read(SNAPSHOT, records)
    assert len(read.drafts) + len(read.bad) == len([*read_sheet(SNAPSHOT).lines])
    assert read.bad == []
    assert all("several numbers" in remark for draft in read.drafts for remark in draft.row.unread)
    for draft in read.drafts:
        assert draft.model or draft.missing
        if draft.model:
            assert isinstance(draft.model, Model)
            assert draft.model.reported_flop is None
            assert all(phase.utilization is None for phase in draft.model.training)
            assert draft.model.quotes == {}


def test_hidden_columns_of_the_public_snapshot_change_nothing(records, tmp_path):
    with SNAPSHOT.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    hidden = set(rows[0]) - {header for headers in READ.values() for header in headers}
    assert {"Training compute (FLOP)", "Hardware utilization (MFU)"} <= hidden
    for row in rows:
        row.update(dict.fromkeys(hidden, "9e99 FLOP, 8B activated"))
    garbled = tmp_path / SNAPSHOT.name
    with garbled.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    assert rows_of(read_sheet(garbled), "t").rows == rows_of(read_sheet(SNAPSHOT), "t").rows
    assert epoch.read(garbled, records).drafts == epoch.read(SNAPSHOT, records).drafts


@pytest.mark.parametrize(
    "bit", ["bert", "1", "1 ", "1,", "((", "trained on only ", "all our ", "100 V100 ", "epochs = ", "mixture of "]
)
def test_cells_of_100_000_characters_are_read(bit, records, tmp_path):
    """A pattern in quadratic time would take minutes for these."""
    long = (bit * 100_000)[:99_000]
    notes = dict.fromkeys(
        ("Task", "Parameters notes", "Dataset size notes", "Batch size notes", "Training time notes", "Base model"),
        long,
    )
    read = epoch.read(
        epoch_table(tmp_path, TEXT_ROW | TIMED_ROW | notes | {"Model": long[:900], "Domain": "Biology"}), records
    )
    assert len(read.drafts) == 1
