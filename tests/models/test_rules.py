"""Run the tests of each SQL file in the .yml of the same name: given rows of its inputs, expected rows of its result.

Rows of a table may be given as a query, which may read the tables above it. A column that a given row lacks is null; a
table that is not given is empty. Defaults and params are those in tests/constants.yml, unless a test gives others.
Expected rows are in the order of all columns of the result, and name only the columns that the test is about.
"""

import pytest
import yaml

from pipeline.models import sql
from tests.rule_files import FILES, insert, near, set_constants
from tests.rule_files import connection as connection  # the fixture

AFTER = {  # rules whose tests give what earlier rules read, and these earlier rules
    "allocation_prices": ["began_allocations"],
    "costs": ["began_allocations", "allocation_prices"],
    "gold_scores": ["constants"],
    "headline_widths": ["choices"],
    "headlines": ["choices", "headline_widths"],
}
CASES = [
    pytest.param(name, test, id=f"{name}: {test['name']}")
    for name in FILES
    for test in yaml.load((sql.MODELS / f"{name}.yml").read_bytes(), yaml.CSafeLoader)
]


@pytest.mark.parametrize(("name", "test"), CASES)
def test_model(connection, name, test):
    given = test["given"]
    connection.execute("begin")
    try:
        if {"params", "defaults"} & given.keys():
            set_constants(connection, given.get("params"), given.get("defaults"))
        insert(connection, {table: rows for table, rows in given.items() if table not in ("params", "defaults")})
        for earlier in AFTER.get(name, []):
            connection.execute(f"create or replace temp table {earlier} as {sql.sql_of(earlier)}")
        columns = [*dict.fromkeys(column for row in test["expect"] for column in row)]
        ordered = f"from ({sql.sql_of(name)}) order by all"
        values = connection.sql(f"select {', '.join(columns)} from ({ordered})").fetchall()
    finally:
        connection.execute("rollback")
    rows = [dict(zip(columns, row, strict=True)) for row in values]
    assert len(rows) == len(test["expect"])
    for row, expected in zip(rows, test["expect"], strict=True):
        assert {column: row[column] for column in expected} == {column: near(held) for column, held in expected.items()}
