"""Helpers for tests of the SQL files: their names, and a connection in which all their input tables are empty."""

from pathlib import Path

import duckdb
import pytest
import yaml

from pipeline.models import sql
from pipeline.stages import TABLES
from schemas import contracts

CONSTANTS = yaml.load((Path(__file__).parent / "constants.yml").read_bytes(), yaml.CSafeLoader)
FILES = sorted(sql.tables() - sql.PYTHON.keys())
TABLE_NAMES = sorted(name for names in TABLES.values() for name in names)


def set_constants(connection, params=None, defaults=None):
    """Set params and defaults, and make the tables of these alone; a test's values override tests/constants.yml."""
    sql.set_params(connection, _overridden(CONSTANTS["params"], params or {}))
    rows = [
        {"quantity": quantity, "applies_to": case}
        | dict(zip(("default_value", "log_sd"), value if isinstance(value, list) else [value], strict=False))
        for quantity, values in _overridden(CONSTANTS["defaults"], defaults or {}).items()
        for case, value in values.items()
    ]
    connection.execute("delete from defaults")
    sql.insert(connection, "defaults", rows)
    sql.run(connection, FILES, sql.PYTHON)


def _overridden(blocks, others):
    return {name: blocks.get(name, {}) | others.get(name, {}) for name in blocks | others}


def empty_tables(connection, names=None):
    """Make all tables, or those in `names`, without rows."""
    for name in names or TABLE_NAMES:
        connection.register("given_rows", contracts.arrow_schema(name).empty_table())
        connection.execute(f"create temp table {name} as from given_rows")
        connection.unregister("given_rows")


def insert(connection, given):
    """Insert given rows into their tables: mappings from column to value, or a query."""
    for table, rows in given.items():
        if isinstance(rows, str):
            connection.execute(f"insert into {table} by name {rows}")
        else:
            sql.insert(connection, table, rows)


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
