"""The stages as SQL, compiled once: the same tables as the stages themselves, to the last bit."""

import json

import duckdb
import pytest

from pipeline import compiled, flow
from pipeline.rules.ingestion import defaults

MADE = [name for stage in compiled.STAGES for name in flow.wiring(stage).outputs]


@pytest.fixture(scope="module")
def stages(records, params):
    """What is stored for today's defaults."""
    return flow.wiring("compile_stages").build(flow.make(["defaults"], records, params)["defaults"], params).stages


REVISED = [({}, 0), ({}, 10**6), ({"defaults": defaults.of_tables}, 0)]


@pytest.fixture(scope="module", params=REVISED, ids=["records", "records_without_planning", "another_table"])
def both(request, stages, records, params, tmp_path_factory):
    """The tables of the whole ledger by compiled SQL, planned or not, and by the stages, with the defaults of records and those of another's table."""
    revised, few_models = request.param
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(flow, "TABLES", tmp_path_factory.mktemp("none"))
        by_stages = flow.make(MADE, records, params, revised)
        folder = tmp_path_factory.mktemp("compiled")
        patch.setattr(flow, "TABLES", folder)
        (folder / compiled.FILE).write_text(flow.as_json(stages))
        patch.setattr(flow, "FEW_MODELS", few_models)
        patch.setattr(flow, "wiring", only_compiled(flow.wiring))
        return flow.make(MADE, records, params, revised), by_stages


def only_compiled(wiring):
    """Wirings in which the stages that have SQL cannot run otherwise."""

    def refuse(**_):
        raise AssertionError("a stage ran that has SQL")

    return lambda stage: wiring(stage)._replace(build=refuse) if stage in compiled.STAGES else wiring(stage)


@pytest.mark.parametrize("table", MADE)
def test_every_table_of_the_ledger_is_the_same_to_the_last_bit(table, both):
    by_sql, by_stages = (made[table].collect("pyarrow").to_native() for made in both)
    assert by_sql.num_rows > 300
    assert by_sql.equals(by_stages)


def test_what_is_stored_is_of_todays_code_params_and_defaults(params, tables):
    defaults = tables["defaults"]
    of = compiled.digest(params, defaults)
    assert of == compiled.digest(params, reversed(defaults))
    changed = [{**defaults[0], "default_value": 0.123}, *defaults[1:]]
    assert compiled.digest(params, changed) != of
    other = params.model_copy(update={"reconcile": params.reconcile.model_copy(update={"dispute_ratio": 3.0})})
    assert compiled.digest(other, defaults) != of


def test_of_another_state_nothing_is_stored(tmp_path):
    file = tmp_path / compiled.FILE
    assert compiled.stored(file, "now") == {}
    made = {"impute": [compiled.Statement("runs", "select 1"), compiled.Statement("step_1", "select 1", "select 2")]}
    file.write_text(json.dumps(compiled.as_stored({"before": made, "long before": made})))
    assert file.read_text().count("select 1") == 1
    assert compiled.stored(file, "now") == {}
    assert compiled.stored(file, "before") == made
    for broken in ("", "[]", '{"now": 1}', '{"queries": [], "states": {"now": {"impute": [["runs", 0, null]]}}}'):
        file.write_text(broken)
        assert compiled.stored(file, "now") == {}


def test_only_what_is_asked_for_is_made():
    made = [
        compiled.Statement("step_1", "select 1 as a", "select a from step_1_rows"),
        compiled.Statement("step_2", "select 2 as b", "select b from step_2_rows"),
        compiled.Statement("first", "select a from step_1"),
        compiled.Statement("second", "select a, b from step_1, step_2"),
    ]
    connection = duckdb.connect()
    kept = {}
    compiled.run(made, connection, {"first"}, lambda name, sql: kept.update({name: connection.execute(sql).fetchall()}))
    assert kept == {"first": [(1,)]}
    assert connection.execute("select table_name from duckdb_tables()").fetchall() == []
