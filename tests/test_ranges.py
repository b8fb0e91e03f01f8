"""Many models are worked out a range of ids at a time; no row depends on its range."""

import shutil

import duckdb
import pytest

from pipeline import compiled, flow, ranges

MADE = [name for stage in compiled.STAGES for name in flow.wiring(stage).outputs]


@pytest.fixture(scope="module")
def both(tables, tmp_path_factory):
    """Folders with the ledger's tables in one range, and in five whose models refer to base models and contributors of other ranges."""

    def work(models_at_once):
        root = tmp_path_factory.mktemp("root")
        shutil.copy(flow.ROOT / "params.yaml", root)
        shutil.copytree(tables.folder, root / "data/tables")
        if not (root / "data/tables" / compiled.FILE).exists():
            flow.run("compile_stages", root)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ranges, "MODELS_AT_ONCE", models_at_once)
            for stage in compiled.STAGES:
                flow.run(stage, root)
        return root / "data/tables"

    return work(10**6), work(100)


@pytest.mark.parametrize("table", MADE)
def test_rows_and_their_order_do_not_depend_on_ranges(table, both):
    whole, by_range = (duckdb.read_parquet(f"{folder}/{table}.parquet").fetchall() for folder in both)
    assert len(whole) > 300
    assert by_range == whole


@pytest.mark.parametrize(
    ("models", "at_once", "firsts"),
    [(10, 3, [4, 8]), (9, 3, [3, 6]), (10, 4, [4, 8]), (9, 6, [5]), (10, 7, []), (8, 8, []), (2, 5, []), (1, 1, [])],
)
def test_ranges_are_of_about_so_many_models_and_of_one_size(models, at_once, firsts, monkeypatch):
    """Two rows a model, ids in no order → the first ids of all ranges but the first."""
    monkeypatch.setattr(ranges, "MODELS_AT_ONCE", at_once)
    connection = duckdb.connect()
    connection.execute("create schema whole")
    connection.execute(
        f"create table whole.runs as select 'model-' || (n * 7 % {models}) as model_id from range({models}) of_models(n), range(2)"
    )
    contract = flow.wiring("impute").tables["runs"]
    conditions = list(ranges.of_models(connection, {"runs": contract}))
    assert conditions[0].startswith("model_id >= ''")
    assert [condition.split("'")[1] for condition in conditions[1:]] == [f"model-{first}" for first in firsts]
    counts = [connection.execute(f"select count(*) from whole.runs where {each}").fetchone()[0] for each in conditions]
    assert sum(counts) == 2 * models
