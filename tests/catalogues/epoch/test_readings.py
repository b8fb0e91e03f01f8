"""The figures that were read in the notes of Epoch's tables are still in these notes, or are work for a person."""

import csv

from pipeline.base.paths import LEDGER, snapshots
from pipeline.catalogues.epoch import columns, readings
from pipeline.catalogues.epoch.tables import merge


def test_each_reading_is_in_its_note_or_in_a_list_of_work():
    found = {}
    for row in columns.rows_of(merge(snapshots()), "snapshots").rows:
        found.setdefault((row["name"], row["organization"]), {}).update(row.readings)
    lost = {
        key[0] for key, read in readings.readings().items() for line in read if line.figure not in found.get(key, {})
    }
    lists = [csv.DictReader(path.open(encoding="utf-8")) for path in LEDGER.glob("data/updates/*.csv")]
    assert lost <= {row["name"] for rows in lists for row in rows if row["kind"] == "reading"}
    assert sum(map(len, found.values())) > 450
