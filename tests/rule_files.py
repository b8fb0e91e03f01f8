"""Helpers for tests of the SQL files: their names, and a connection in which every table that they read is empty."""

from pathlib import Path

import duckdb
import pytest
import yaml

from pipeline.models import sql
from pipeline.stages import TABLES
from schemas import contracts

CONSTANTS = yaml.load((Path(__file__).parent / "constants.yml").read_bytes(), yaml.CSafeLoader)
DEFAULTS = {
    (quantity, case): {"quantity": quantity, "applies_to": case, "default_value": value, "log_sd": log_sd}
    for quantity, cases in CONSTANTS["defaults"].items()
    for case, (value, log_sd) in cases.items()
}
FILES = sorted(sql.tables() - sql.PYTHON.keys())
TABLE_NAMES = sorted(name for names in TABLES.values() for name in names)


def set_constants(connection, stated_params=(), stated_defaults=()):
    """Set params and defaults, and make the tables that depend only on them; a test's values override tests/constants.yml."""
    stated = {block: {**held, **dict(stated_params).get(block, {})} for block, held in CONSTANTS["params"].items()}
    sql.set_params(connection, stated)
    defaults = DEFAULTS | {(row["quantity"], row["applies_to"]): row for row in stated_defaults}
    connection.execute("delete from defaults")
    sql.insert(connection, "defaults", defaults.values())
    sql.run(connection, FILES, sql.PYTHON)


def empty_tables(connection, names=None):
    """Make each table, or the named ones, without rows."""
    for name in names or TABLE_NAMES:
        connection.register("given_rows", contracts.arrow_schema(name).empty_table())
        connection.execute(f"create temp table {name} as from given_rows")
        connection.unregister("given_rows")


@pytest.fixture(scope="module")
def connection():
    """Return a connection in which every table is empty and has the types of its contract or of its query."""
    connection = duckdb.connect(config={"threads": 1})
    empty_tables(connection, sql.inputs(FILES, sql.PYTHON) - {"params"})
    set_constants(connection)
    return connection


def near(value):
    """Round a number, because tests give only a few digits."""
    return pytest.approx(value, rel=1e-5) if isinstance(value, float) else value
