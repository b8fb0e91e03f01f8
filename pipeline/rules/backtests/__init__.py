"""Back-tests: impute known facts as if they were hidden, compare figures for the same quantity, and measure errors."""

from pathlib import Path

import duckdb

from pipeline.models import sql

TABLES = ("model_chips", "hidden_facts", "compared_figures", "imputation_backtests", "imputation_errors",
          "year_peak_comparison")  # fmt: skip
HIDDEN = {  # for each table made here: the rule's table that it repeats, and the facts to hide in the inputs
    "without_chip": ("completed_allocations", {"allocations": "hardware_id"}),
    "without_precision": ("completed_allocations", {"runs": "stated_precision"}),
    "without_epochs_and_steps": ("completed_runs", {"runs": "epochs, steps"}),
    "without_epochs_and_examples": ("completed_runs", {"runs": "epochs, examples"}),
}


def make(connection: duckdb.DuckDBPyConnection) -> None:
    """Run the SQL files in this folder on a connection that already has the rules' tables."""
    _hide(connection)
    for name in TABLES:
        connection.execute(f"create or replace temp table {name} as\n{query(name)}")


def query(name: str) -> str:
    """Return the SQL that makes a back-test table."""
    return Path(__file__).with_name(f"{name}.sql").read_text(encoding="utf-8")


def _hide(connection: duckdb.DuckDBPyConnection) -> None:
    """Create each table of HIDDEN in the connection by running its rule on inputs whose listed facts are null."""
    for name, (table, hidden) in HIDDEN.items():
        cursor = connection.cursor()  # its temporary tables hide the connection's tables only as long as it exists
        for source, columns in hidden.items():
            # nullif keeps the column's type. Once the temporary table exists, main.<name> still refers to the original.
            nulls = ", ".join(f"nullif({column}, {column}) as {column}" for column in columns.split(", "))
            cursor.execute(f"create temp table {source} as select * replace ({nulls}) from main.{source}")
        sql.set_params_of(cursor, connection)
        sql.run(cursor, [table])
        cursor.execute(f"create or replace table main.{name} as from {table}")


READS = frozenset().union(*(sql.tables_in(query(name)) for name in TABLES)) - {*TABLES, *HIDDEN}
RULE = sql.PythonRule((*READS, *sql.inputs(table for table, _ in HIDDEN.values())), make)
