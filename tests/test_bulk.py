"""Tables of many models on the DuckDB that holds them: the ledger's own numbers, nothing left behind, and every mistake at once."""

import datetime
import gc
import inspect
import re

import duckdb
import pandas as pd
import pyarrow as pa
import pytest

import pipeline
from pipeline import bulk, compiled, flow
from schemas.table import ContractError, contract_of

MADE = [name for stage in compiled.STAGES for name in flow.wiring(stage).outputs]
NAMES = ("runs", "allocations", "models", "lineages", "contributions", "operation_counts", "utilizations")
README = (flow.ROOT / "pipeline/README.md").read_text(encoding="utf-8")
RUN = {
    "phase": "pretraining", "phase_index": 0, "example_unit": "token", "utilization_case": "text", "examples": 2e12, "epochs": 1.0,
    "active_parameters": 7e9, "allows_2n_rule": True, "is_forward_only": False, "has_frozen_weights": False, "framework": "unknown",
    "organization_kind": "industry", "published": "2024", "published_year": 2024,
}  # fmt: skip
MODEL = {
    "name": "Invented", "organization": "O", "organization_kind": "industry", "published": "2024", "published_date": datetime.date(2024, 7, 1),
    "published_precision": "year", "published_year": 2024, "domain": "language", "scope": "single", "parameters": 7e9,
    "is_reported_hardware_flop": False, "has_unread_data": False, "has_erratum": False, "is_search_counted": False, "has_read_contributions": False, "has_untimed_phase": False,
    "sources": "a text",
}  # fmt: skip
ALLOCATION = {
    "phase": "pretraining", "allocation": 0, "hardware_id": "nvidia-a100-sxm4", "chips": 256.0, "duration_seconds": 20 * 86400.0,
    "is_from_operations": False,
}  # fmt: skip


def code_of(engine):
    """The README's example that imports this package."""
    (found,) = [code for code in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if f"{engine}" in code]
    return found


def invented(connection):
    """Relations of two models, the second trained further from the first: of the columns that may be null, few."""
    ids = ("base", "tuned")
    rows = {
        "runs": [RUN | {"model_id": each} for each in ids],
        "allocations": [ALLOCATION | {"model_id": each} for each in ids],
        "models": [
            MODEL | {"model_id": each, "base_model": base} for each, base in zip(ids, (None, "base"), strict=True)
        ],
    }
    return {name: connection.from_arrow(pa.Table.from_pylist(each)) for name, each in rows.items()}


def objects(connection):
    """Everything that stands in the connection's catalogs."""
    kinds = {"tables": "table_name", "views": "view_name", "databases": "database_name", "functions": "function_name"}
    return [
        connection.sql(f"select {name} from duckdb_{kind}() where not internal order by all").fetchall()
        for kind, name in kinds.items()
    ]


def test_the_readmes_example_makes_the_published_tables(tables, tmp_path, monkeypatch):
    (tmp_path / "data").mkdir()
    (tmp_path / "data/tables").symlink_to(tables.folder)
    monkeypatch.chdir(tmp_path)
    ran = {}
    exec(code_of("import duckdb"), ran)
    assert list(ran["made"]) == MADE
    assert set(ran["names"]) == set(NAMES)
    found = {name: ran["made"][name] for name in MADE[:-3]} | {"estimates": duckdb.read_parquet("estimates.parquet")}
    for name, relation in found.items():
        order = ", ".join(contract_of(name).__grain__)
        expected = duckdb.read_parquet(str(tables.folder / f"{name}.parquet"))
        assert relation.order(order).to_arrow_table().equals(expected.to_arrow_table()), name
    assert objects(ran["lake"]) == objects(duckdb.connect())


def test_tables_left_out_are_those_that_the_description_names():
    connection = duckdb.connect()
    for name in (
        "hardware",
        "step_1",
        "estimates",
        "flop_ledger",
    ):  # the caller's own tables of these names play no part
        connection.execute(f"create table {name} as select 1 as other")
    before = objects(connection)
    made = pipeline.estimate_frames(**invented(connection))
    gc.collect()
    columns = "model_id, operation_count_flop, gpu_time_flop, utilization_basis, training_flop"
    found = made["estimates"].order("model_id").project(columns).fetchall()
    # 6 N D, and chips x seconds x 312 TFLOP/s x the default of text, 0.3: the base model is no part of the other.
    flop, by_time = 6 * 7e9 * 2e12, 256 * 20 * 86400 * 312e12 * 0.3
    assert by_time < found[0][-1] < flop
    for row, identifier in zip(found, ("base", "tuned"), strict=True):
        assert row == (identifier, pytest.approx(flop), pytest.approx(by_time), "assumed", found[0][-1])
    assert objects(connection) == before


def test_a_connection_that_may_read_nothing_else_is_enough():
    connection = duckdb.connect()
    given = {
        name: connection.sql(f"create table {name} as from relation; from {name}")
        for name, relation in invented(connection).items()
    }
    connection.execute("set enable_external_access = false; set lock_configuration = true")
    made = pipeline.estimate_frames(**given)
    assert made["operation_estimates"].project("operation_count_flop").fetchall() == [(pytest.approx(8.4e22),)] * 2


def test_every_mistake_is_a_line():
    connection = duckdb.connect()
    given = invented(connection)
    broken = {
        "runs": given["runs"].project(
            "* exclude (phase_index, epochs, examples), examples::integer as examples, epochs as epoch"
        ),
        "allocations": pd.DataFrame({"model_id": ["base"]}),
        "models": invented(duckdb.connect())["models"],
        "lineages": [],
    }
    with pytest.raises(ContractError) as problem:
        pipeline.estimate_frames(**broken)
    assert str(problem.value).splitlines() == [
        "runs: examples is Int32, not DOUBLE",
        "runs: 'epoch' is no column of this table; did you mean 'epochs'?",
        "runs: has no column phase_index, a BIGINT that is never null",
        "allocations: is a pandas.DataFrame, not a DuckDB relation or a Spark data frame",
        "models: is of another DuckDB connection than runs; all are of one",
        "lineages: is a builtins.list, not a DuckDB relation or a Spark data frame",
    ]


def test_the_callers_own_defaults_take_the_place_of_the_ledgers(tables):
    connection = duckdb.connect()
    defaults = connection.read_parquet(str(tables.folder / "defaults.parquet"))
    own = defaults.project("* replace (if(quantity = 'backward_ratio', 1.0, default_value) as default_value)")
    made = pipeline.estimate_frames(**invented(connection), defaults=own)["operation_estimates"]
    # Forward 2 N, backward as much.
    assert made.project("operation_count_flop").fetchall() == [(pytest.approx(4 * 7e9 * 2e12),)] * 2


def test_without_the_ledgers_tables_the_remedy_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(flow, "TABLES", tmp_path)
    with pytest.raises(ContractError, match=r"hardware\.parquet: is missing; `dvc repro` makes it"):
        pipeline.estimate_frames(**invented(duckdb.connect()))


def test_every_table_that_the_stages_read_can_be_given():
    read = {name for stage in compiled.STAGES for name in flow.wiring(stage).tables} - set(MADE)
    arguments = inspect.signature(pipeline.estimate_frames).parameters
    assert set(arguments) == read
    required = {name for name, each in arguments.items() if each.default is each.empty}
    assert read - required == {*bulk.EMPTY, *bulk.OURS, "lineages"}
