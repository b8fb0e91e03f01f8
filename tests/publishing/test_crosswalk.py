"""The crosswalk from Epoch's columns to ours is complete, and its places exist."""

from pipeline.base.paths import snapshots
from pipeline.catalogues.epoch.columns import READ
from pipeline.catalogues.sheets import read_sheet
from pipeline.publishing.crosswalk import CROSSWALK
from schemas.tables import columns_of
from tests.builders import EPOCH_HEADER
from tests.rule_files import TABLE_NAMES


def test_it_has_every_column_that_we_read():
    assert {header for headers in READ.values() for header in headers} <= set(CROSSWALK)


def test_it_has_no_unknown_columns():
    read = {header for headers in READ.values() for header in headers}
    assert set(CROSSWALK) <= read | {*EPOCH_HEADER} | {*read_sheet(snapshots()[0]).header}


def test_every_place_exists():
    columns = {table: columns_of(table) for table in TABLE_NAMES}
    for header, ours in CROSSWALK.items():
        for place in ours["place"].replace(" / ", ", ").split(", "):
            table, _, column = place.rpartition(".")
            assert place in {"", "flopledger explain", *columns["estimates"], *columns} or column in columns[table], (
                header
            )
