"""Tables of many models on the DuckDB that holds them: the ledger's numbers, no changes, all mistakes together."""

import datetime
import gc
import random
import re

import duckdb
import pandas as pd
import pyarrow as pa
import pytest

import pipeline
from pipeline.base.paths import ROOT, TABLES
from pipeline.engines import relations as engine
from pipeline.engines import spark
from pipeline.models import sql
from schemas.errors import ContractError

NAMES = ("runs", "allocations", "models", "lineages", "contributions", "operation_counts", "utilizations")
README = (ROOT / "pipeline/README.md").read_text(encoding="utf-8")
RUN = {
    "phase": "pretraining", "phase_index": 0, "example_unit": "token", "utilization_case": "text", "examples": 2e12,
    "epochs": 1.0, "active_parameters": 7e9, "allows_2n_rule": True, "is_forward_only": False,
    "has_frozen_weights": False, "framework": "unknown", "organization_kind": "industry",
    "published": "2024", "published_year": 2024,
}  # fmt: skip
MODEL = {
    "name": "Invented", "organization": "O", "organization_kind": "industry", "published": "2024",
    "published_date": datetime.date(2024, 7, 1), "published_precision": "year", "published_year": 2024,
    "domain": "language", "scope": "single", "parameters": 7e9,
    "is_reported_hardware_flop": False, "is_total_of_others": False, "has_erratum": False, "is_search_counted": False,
    "has_read_contributions": False, "has_untimed_phase": False, "sources": "a text",
}  # fmt: skip
ALLOCATION = {
    "phase": "pretraining", "allocation": 0, "hardware_id": "nvidia-a100-sxm4", "chips": 256.0,
    "duration_seconds": 20 * 86400.0, "is_from_operations": False,
}  # fmt: skip
FLOP = 6 * 7e9 * 2e12  # 6 N D of RUN


@pytest.fixture
def connection():
    with duckdb.connect() as opened:
        yield opened


def invented():
    """Make tables of two models, the second trained further from the first, with few of the nullable columns."""
    ids = ("base", "tuned")
    return {
        "runs": pa.Table.from_pylist([RUN | {"model_id": model} for model in ids]),
        "allocations": pa.Table.from_pylist([ALLOCATION | {"model_id": model} for model in ids]),
        "models": pa.Table.from_pylist(
            [MODEL | {"model_id": model, "base_model": base} for model, base in zip(ids, (None, "base"), strict=True)]
        ),
    }


def relations(connection):
    return {name: connection.from_arrow(table) for name, table in invented().items()}


def objects(connection):
    """Return all objects in the connection's catalogs."""
    kinds = {"tables": "table_name", "views": "view_name", "databases": "database_name", "functions": "function_name"}
    return [
        connection.sql(f"select {name} from duckdb_{kind}() where not internal order by all").fetchall()
        for kind, name in kinds.items()
    ]


def operations(results):
    return results["operation_estimates"].order("model_id").project("operation_count_flop").fetchall()


def test_the_readmes_example_makes_the_ledgers_tables(tmp_path, monkeypatch):
    (tmp_path / "data").mkdir()
    (tmp_path / "data/tables").symlink_to(TABLES)
    monkeypatch.chdir(tmp_path)
    (code,) = [code for code in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if "import duckdb" in code]
    ran = {}
    exec(code, ran)
    assert set(ran["results"]) == {*engine.RESULTS}
    assert duckdb.read_parquet("estimates.parquet").shape == ran["results"]["estimates"].shape
    for name, relation in ran["results"].items():
        order = ", ".join(engine.table_contract(name)[2])
        expected = duckdb.read_parquet(str(TABLES / "estimate" / f"{name}.parquet"))
        assert relation.order(order).to_arrow_table().equals(expected.order(order).to_arrow_table()), name
    assert objects(ran["lake"]) == objects(duckdb.connect())


def test_tables_left_out_are_those_that_the_description_names(connection):
    results = pipeline.estimate_frames(**relations(connection))
    columns = "model_id, operation_count_flop, gpu_time_flop, utilization_basis, training_flop"
    rows = results["estimates"].order("model_id").project(columns).fetchall()
    # 6 N D, and chips x seconds x 312 TFLOP/s x the default for text, 0.3; the base model is not part of the other.
    by_time = 256 * 20 * 86400 * 312e12 * 0.3
    for row, identifier in zip(rows, ("base", "tuned"), strict=True):
        assert row == (identifier, pytest.approx(FLOP), pytest.approx(by_time), "assumed", rows[0][-1])
    classes = results["completed_runs"].project("examples_class").fetchall()
    classes += results["completed_allocations"].project("chip_seconds_class").fetchall()
    assert classes == [("stated_by_user",)] * 4


def test_nothing_of_the_callers_is_hidden_or_changed(connection):
    # Tables and macros with names that the rules use have no effect.
    for name in ("models", "hardware", "constants", "estimates", "given_rows", "no_rows", "params"):
        connection.execute(f"create table {name} as select 1 as other")
    connection.execute("create macro low(x, y) as 42; create temp table peaks as select 2 as other")
    before = objects(connection)
    results = pipeline.estimate_frames(**relations(connection))
    assert operations(results) == [(pytest.approx(FLOP),)] * 2
    assert results["estimates"].project("energy_kwh_low < energy_kwh").fetchall() == [(True,)] * 2
    assert connection.sql("select models.other, low(1, 2) from models").fetchall() == [(1, 42)]
    del results
    gc.collect()
    assert objects(connection) == before


def test_relations_are_read_as_their_own_connection_sees_them(connection):
    # No cursor of the connection sees temporary tables, a schema in use, an open transaction or parameters.
    connection.execute("create schema lake; use lake; begin")
    for name, relation in relations(connection).items():
        relation.create(name)
    connection.execute("create temp table short as from runs where model_id = 'tuned'")
    given = {name: connection.table(name) for name in ("allocations", "models")}
    assert operations(pipeline.estimate_frames(runs=connection.table("short"), **given)) == [(pytest.approx(FLOP),)]
    base = connection.sql("from runs where model_id = $1", params=["base"])
    assert operations(pipeline.estimate_frames(runs=base, **given)) == [(pytest.approx(FLOP),)]
    connection.execute("rollback")


def test_a_read_only_connection_that_may_read_nothing_else_is_enough(tmp_path):
    with duckdb.connect(str(tmp_path / "lake.duckdb")) as writable:
        for name, relation in relations(writable).items():
            relation.create(name)
    closed = {"enable_external_access": "false", "lock_configuration": "true"}
    with duckdb.connect(str(tmp_path / "lake.duckdb"), read_only=True, config=closed) as connection:
        results = pipeline.estimate_frames(**{name: connection.table(name) for name in invented()})
        assert operations(results) == [(pytest.approx(FLOP),)] * 2


def test_tables_without_rows_give_tables_without_rows(connection):
    results = pipeline.estimate_frames(**{name: relation.limit(0) for name, relation in relations(connection).items()})
    assert {name: relation.shape[0] for name, relation in results.items()} == dict.fromkeys(engine.RESULTS, 0)


def test_every_mistake_of_columns_is_a_line(connection):
    given = relations(connection)
    broken = {
        "runs": given["runs"].project(
            "* exclude (phase_index, epochs, examples), examples::integer as examples, epochs as epoch"
        ),
        "allocations": pd.DataFrame({"model_id": ["base"]}),
        "models": relations(duckdb.connect())["models"],
        "lineages": [],
    }
    with pytest.raises(ContractError) as problem:
        pipeline.estimate_frames(**broken)
    assert str(problem.value).splitlines() == [
        "runs: does not belong to the DuckDB connection or Spark session of models",
        "runs: examples is int32, not double",
        "runs: 'epoch' is not a column of this table; did you mean 'epochs'?",
        "runs: has no column phase_index (int64), never null",
        "allocations: is a DataFrame, not a DuckDB relation or a Spark data frame",
        "lineages: is a list, not a DuckDB relation or a Spark data frame",
    ]


def test_every_mistake_of_rows_is_a_line(connection):
    given = relations(connection)
    broken = {
        "runs": given["runs"].project("* replace (null::bigint as phase_index, 'nan'::double as examples)"),
        "allocations": given["allocations"].project("* replace (if(model_id = 'base', 'inf'::double, chips) as chips)"),
        "models": given["models"].union(given["models"]),
    }
    with pytest.raises(ContractError) as problem:
        pipeline.estimate_frames(**broken)
    assert sorted(str(problem.value).splitlines()) == [
        "allocations: chips is not finite, 1 times, first base pretraining 0",
        "models: the same model_id in several rows, 2 times, first base",
        "runs: examples is not finite, 2 times, first base pretraining",
        "runs: phase_index is null, 2 times, first base pretraining",
    ]


def test_amounts_that_cannot_be_name_their_models(connection):
    given = relations(connection)
    chosen = "if(model_id = 'base', {}, {})"
    broken = {
        "runs": given["runs"].project(
            f"* replace ({chosen.format('0.0::double', 'examples')} as examples, {chosen.format('epochs', '1e300::double')} as epochs)"
        ),
        "allocations": given["allocations"].project(
            f"* replace ({chosen.format('0.0::double', '-1.0::double')} as chips)"
        ),
        "models": given["models"].project("*, 0.0::double as reported_flop"),
    }
    with pytest.raises(ContractError) as problem:
        pipeline.estimate_frames(**broken)
    assert str(problem.value).splitlines() == [
        "base: models: reported_flop is 0, not between 1 and 1e+32",
        "base pretraining: completed_runs: examples_seen is 0, not between 1 and 1e+36",
        "tuned: models: reported_flop is 0, not between 1 and 1e+32",
        "tuned pretraining: completed_runs: examples_seen is inf, not between 1 and 1e+36",
    ]


def test_the_callers_own_defaults_take_the_place_of_the_ledgers(connection):
    ledgers = connection.read_parquet(str(TABLES / "ingest/defaults.parquet"))
    defaults = ledgers.project("* replace (if(quantity = 'backward_ratio', 1.0, default_value) as default_value)")
    # Forward 2 N, backward as much.
    results = pipeline.estimate_frames(**relations(connection), defaults=defaults)
    assert operations(results) == [(pytest.approx(4 * 7e9 * 2e12),)] * 2
    with pytest.raises(ContractError, match="states no backward_ratio for all"):
        pipeline.estimate_frames(**relations(connection), defaults=ledgers.filter("quantity <> 'backward_ratio'"))


def test_without_the_ledgers_tables_the_remedy_is_named(connection, monkeypatch):
    monkeypatch.setattr(engine, "table_file", lambda name: None)
    with pytest.raises(ContractError, match="hardware: is missing in data/tables; `make repro` makes it\npeaks: "):
        pipeline.estimate_frames(**relations(connection))


def test_every_table_that_the_rules_read_can_be_given():
    read = sql.inputs(engine.RESULTS, (*engine.EMPTY, "utilizations", "utilization_model", "own_shares"))
    read -= {"params"}
    assert read == {*NAMES, *engine.LEDGER}
    assert read - {"runs", "allocations", "models", "lineages", "utilizations"} == {*engine.EMPTY, *engine.LEDGER}


@pytest.mark.parametrize("seed", range(100))
def test_families_are_the_sets_that_pairs_connect(seed):
    choice = random.Random(seed)
    pairs = [(f"m{choice.randrange(30)}", f"m{choice.randrange(30)}") for _ in range(25)]
    connected = {model: {model} for pair in pairs for model in pair}
    for one, other in pairs:
        union = connected[one] | connected[other]
        connected |= dict.fromkeys(union, union)
    assert spark.families(pairs) == {model: min(family) for model, family in connected.items()}
