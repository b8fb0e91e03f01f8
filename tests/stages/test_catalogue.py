"""The catalogue tier of the miniature: a row with a record, one without a record, one without data."""

import csv

import pytest

from pipeline.base.paths import snapshots
from pipeline.stages import flow
from schemas.errors import ContractError
from tests.builders import copied


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """Return the miniature with its estimates."""
    root = copied(tmp_path_factory.mktemp("tree"))
    for stage in ("ingest", "estimate"):
        flow.run(stage, root)
    return root


def made(tree):
    """Return the rows of the tier by name."""
    import pyarrow.parquet as pq

    flow.run("catalogue", tree)
    return {
        row["name"]: row
        for row in pq.read_table(tree / "data/tables/catalogue/catalogue_estimates.parquet").to_pylist()
    }


def test_every_row_is_there_and_only_those_without_a_record_have_numbers(tree):
    rows = made(tree)
    with snapshots(tree)[0].open() as file:
        assert list(rows) == [row["Model"] for row in csv.DictReader(file)]
    recorded, own, silent = rows.values()
    assert (recorded["model_id"], recorded["training_flop"], recorded["training_flop_high"]) == (
        "base-text",
        None,
        None,
    )
    assert recorded["no_estimate_reason"] == "the model has a record"
    assert own["training_flop"] == pytest.approx(6 * 1e9 * 20e9)
    assert own["training_flop_low"] < own["training_flop_p25"] < own["training_flop"] < own["training_flop_high"]
    assert own["organization"] == "=Company"
    assert (silent["training_flop"], silent["no_estimate_reason"]) == (
        None,
        "Epoch's table has no size and no data for it; no chips with time",
    )


def test_a_snapshot_that_is_no_table_is_said(tree):
    path = snapshots(tree)[0]
    before = path.read_bytes()
    path.write_text("a,b\n1,2\n")
    try:
        with pytest.raises(ContractError, match="is it Epoch's table"):
            flow.run("catalogue", tree)
    finally:
        path.write_bytes(before)
