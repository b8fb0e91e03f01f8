"""Run the tests of each view: given rows of the tables that it and earlier views read, expected rows of its result.

Rows of a table may be given as a query. A column that a given row lacks is null; a table that is not given is empty;
params are those in tests/constants.yml. Expected rows are in the view's order, and name only the columns that the test
is about.
"""

import duckdb
import pytest
import yaml

from pipeline.models import sql
from pipeline.publishing import report_views
from tests.rule_files import CONSTANTS, empty_tables, insert, near

CASES = [
    pytest.param(name, test, id=f"{name}: {test['name']}")
    for name in report_views.statements()
    for test in yaml.safe_load((report_views.FOLDER / f"{name}.yml").read_text(encoding="utf-8"))
]


@pytest.fixture(scope="module")
def connection():
    connection = duckdb.connect(config={"threads": 1})
    empty_tables(connection)
    report_views.create(connection, CONSTANTS["params"])
    return connection


@pytest.mark.parametrize(("name", "test"), CASES)
def test_view(connection, name, test):
    connection.execute("begin")
    try:
        insert(connection, test["given"])
        rows = sql.rows(connection.table(name))
    finally:
        connection.execute("rollback")
    assert len(rows) == len(test["expect"])
    for row, expected in zip(rows, test["expect"], strict=True):
        assert {column: row[column] for column in expected} == {column: near(held) for column, held in expected.items()}


def test_no_view_fails_on_an_empty_ledger(connection):
    for name in report_views.statements():
        connection.table(name).fetchall()
