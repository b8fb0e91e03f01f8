"""What tests of the SQL files share: their names, and a connection where every table that they read is empty."""

from pathlib import Path

import duckdb
import pytest
import yaml

from pipeline.models import sql
from pipeline.stages import TABLES
from schemas import contracts

CONSTANTS = yaml.safe_load((Path(__file__).parent / "constants.yml").read_text(encoding="utf-8"))
DEFAULTS = {
    (quantity, case): {"quantity": quantity, "applies_to": case, "default_value": value, "log_sd": log_sd}
    for quantity, cases in CONSTANTS["defaults"].items()
    for case, (value, log_sd) in cases.items()
}
FILES = sorted(sql.tables() - sql.PYTHON.keys())
TABLE_NAMES = sorted(name for names in TABLES.values() for name in names)


def set_constants(connection, stated_params=(), stated_defaults=()):
    """Sets params and defaults, and makes what rests on them alone; what a test states comes before tests/constants.yml."""
    stated = {block: {**held, **dict(stated_params).get(block, {})} for block, held in CONSTANTS["params"].items()}
    sql.set_params(connection, stated)
    defaults = DEFAULTS | {(row["quantity"], row["applies_to"]): row for row in stated_defaults}
    connection.execute("delete from defaults")
    sql.insert(connection, "defaults", defaults.values())
    sql.run(connection, FILES, sql.PYTHON)


def empty_tables(connection, names=None):
    """Makes each table, or those named, without rows."""
    for name in names or TABLE_NAMES:
        connection.register("given_rows", contracts.arrow_schema(contracts.contract_of(name)).empty_table())
        connection.execute(f"create temp table {name} as from given_rows")
        connection.unregister("given_rows")


@pytest.fixture(scope="module")
def connection():
    """A connection where every table is empty and has the types of its contract or of its query."""
    connection = duckdb.connect(config={"threads": 1})
    empty_tables(connection, sql.inputs(FILES, sql.PYTHON) - {"params"})
    set_constants(connection)
    return connection


def near(value):
    """Numbers of a test are written with a few digits."""
    return pytest.approx(value, rel=1e-5) if isinstance(value, float) else value
