"""Each rule across tables finds exactly what breaks it, in small tables written by hand."""

import duckdb
import pytest

from pipeline.publishing import consistency

TABLES = {
    "identifiers": "select 'models' as record_kind, 'a' as record_id, false as is_retired",
    "estimates": "select 'a' as model_id, 10.0 as operation_count_flop, 10.0 as training_flop union all select 'b', 20.0, 20.0",
    "missing_facts": "select 'c' as model_id, 'card' as looked_in",
    "changes": "select 'a' as model_id, 'training_flop' as column_name, null as new, 'fewer tokens' as reason",
    "operation_estimates": "select 'a' as model_id, 4.0 as operation_count_flop union all select 'a', 6.0",
    "models": "select 'a' as model_id, null as base_model",
    "operation_counts": "select 'net' as architecture_id, 3.0 as forward_flop",
    "operation_counts_by_kind": "select 'net' as architecture_id, 1.0 as kind_forward_flop union all select 'net', 2.0",
    "checks": "select 'dense' as network, 'chip' as hardware_id",
    "hardware": "select 'chip' as hardware_id, 'hopper' as generation",
    "utilization_cells": "select 'dense' as network, 1 as \"rows\"",
    "lineages": "select 'b' as model_id, 'a' as part_id union all select 'b', 'b'",
}
BEFORE = "record_kind,record_id,is_retired\nmodels,a,false\n"


def breaking(tmp_path, before=BEFORE, **changed):
    file = tmp_path / "identifiers.csv"
    if before:
        file.write_text(before)
    tables = {name: duckdb.sql(query) for name, query in {**TABLES, **changed}.items()}
    return {rule.expectation: rows for rule, rows in consistency.outcomes(tables, file) if rows}


def test_sound_tables_break_nothing(tmp_path):
    assert breaking(tmp_path) == {}
    assert breaking(tmp_path / "absent", before=None) == {}  # the first release


@pytest.mark.parametrize(("changed", "row"), [
    ({"before": BEFORE + "chips,lost,true\n"}, "chips/lost"),
    ({"estimates": "select 'b' as model_id, 20.0 as operation_count_flop, 20.0 as training_flop"}, "a"),
    ({"estimates": TABLES["estimates"] + " union all select 'd', null, null"}, "d"),
    ({"changes": TABLES["changes"].replace("fewer tokens", "rules: new")}, "a"),
    ({"operation_estimates": "select 'a' as model_id, 4.0 as operation_count_flop"}, "a"),
    ({"operation_counts": "select 'net' as architecture_id, 3.001 as forward_flop"}, "net"),
    ({"utilization_cells": "select 'sparse' as network, 1 as \"rows\""}, "dense"),
    ({"lineages": "select 'a' as model_id, 'b' as part_id"}, "a"),
])  # fmt: skip
def test_each_fault_breaks_one_rule(tmp_path, changed, row):
    assert list(breaking(tmp_path, **changed).values()) == [[row]]


def test_a_model_may_go_if_it_was_retired_and_need_no_number_if_its_inputs_were_looked_for(tmp_path):
    retired = "select 'models' as record_kind, 'a' as record_id, true as is_retired"
    without = (
        "select 'b' as model_id, 20.0 as operation_count_flop, 20.0 as training_flop union all select 'c', null, null"
    )
    assert breaking(tmp_path, identifiers=retired, estimates=without) == {}
