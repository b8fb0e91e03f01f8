"""The stages as SQL: run on a copy of the ledger's tables they make the published ones."""

import math

import duckdb
import pytest

from pipeline.paths import ROOT
from pipeline.site import ledger, stages_sql

MADE = ("completed_runs", "completed_allocations", "operation_estimates", "gpu_time_estimates", "estimates", "reconciliations", "headline_components")  # fmt: skip


@pytest.fixture(scope="module")
def statements(published_database):
    with ledger.opened(ROOT) as opened:
        return stages_sql.statements(opened)


@pytest.fixture(scope="module")
def again(statements):
    connection = duckdb.connect()
    connection.execute(f"attach '{ROOT / 'data/published/ledger.duckdb'}' as published (read_only)")
    tables = connection.execute("select table_name from duckdb_tables() where database_name = 'published'").fetchall()
    for (name,) in tables:
        if name not in MADE:
            connection.execute(f'create table "{name}" as from published."{name}"')
    for table, sql, _ in statements:
        connection.execute(f'create or replace table "{table}" as {sql}')
    return connection


def rows(connection, table):
    names = [name for name, *_ in connection.execute(f"describe {table}").fetchall()]
    found = connection.execute(f"from {table} order by all").fetchall()
    return names, found


@pytest.mark.parametrize("table", MADE)
def test_they_make_the_published_table(table, again):
    names, found = rows(again, table)
    wanted_names, wanted = rows(again, f"published.{table}")
    assert names == wanted_names
    assert len(found) == len(wanted) > 100
    for own, other in zip(found, wanted, strict=True):
        for name, one, two in zip(names, own, other, strict=True):
            is_number = isinstance(one, float) and isinstance(two, float)
            assert math.isclose(one, two, rel_tol=1e-12, abs_tol=1e-18) if is_number else one == two, (own[0], name)


def test_they_are_the_same_each_time(statements):
    with ledger.opened(ROOT) as opened:
        assert stages_sql.statements(opened) == statements


def test_they_read_nothing_but_tables_and_one_another(statements):
    text = stages_sql.as_text(statements)
    assert "read_parquet" not in text
    assert "/" + "tmp" not in text
    assert [each.table for each in statements if each.table in MADE] == list(MADE)
