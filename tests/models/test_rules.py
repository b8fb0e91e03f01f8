"""Run the tests of each SQL file, in the .yml of the same name: given rows of the tables that it reads, expected rows of its result.

A column that a given row lacks is null; a table that is not given is empty. Defaults and params are those in
tests/constants.yml, unless a test gives others. A file whose tests give what an earlier rule reads names that rule
under `after`. Expected rows are in the order of the grain and name only the columns that the test is about.
"""

import pytest
import yaml

from pipeline.models import sql
from pipeline.stages import TABLES
from schemas.tables import grain
from tests.rule_files import FILES, near, set_constants
from tests.rule_files import connection as connection  # the fixture

DESCRIBED = {name: yaml.load((sql.MODELS / f"{name}.yml").read_bytes(), yaml.CSafeLoader) for name in FILES}
CASES = [
    pytest.param(name, test, id=f"{name}: {test['name']}")
    for name, described in DESCRIBED.items()
    for test in described["tests"]
]


@pytest.mark.parametrize(("name", "test"), CASES)
def test_model(connection, name, test):
    given = test["given"]
    connection.execute("begin")
    try:
        if {"params", "defaults"} & given.keys():
            set_constants(connection, given.get("params", {}), given.get("defaults", ()))
        for table in given.keys() - {"params", "defaults"}:
            sql.insert(connection, table, given[table])
        for earlier in DESCRIBED[name].get("after", []):
            connection.execute(f"create or replace temp table {earlier} as {sql.sql_of(earlier)}")
        columns = [*dict.fromkeys(column for row in test["expect"] for column in row)]
        grain = ", ".join(f'"{column}"' for column in DESCRIBED[name]["grain"])
        made = connection.sql(f"select {', '.join(columns)} from ({sql.sql_of(name)}) order by {grain}").fetchall()
    finally:
        connection.execute("rollback")
    rows = [dict(zip(columns, row, strict=True)) for row in made]
    assert len(rows) == len(test["expect"])
    for row, expected in zip(rows, test["expect"], strict=True):
        assert {column: row[column] for column in expected} == {column: near(held) for column, held in expected.items()}


def test_grains_are_those_of_the_contracts():
    outputs = {name for names in TABLES.values() for name in names}
    for name, described in DESCRIBED.items():
        assert described["tests"], name
        if name in outputs:
            assert tuple(described["grain"]) == grain(name), name
