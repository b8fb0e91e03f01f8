"""The stages from imputation to the headline as SQL statements, so that a what-if in the browser runs the project's own rules.

They read tables of ledger.duckdb by their names, in an in-memory copy that holds a few models, and make the tables that the stages make.
"""

import duckdb

from pipeline import compiled, flow
from pipeline.compiled import Statement
from pipeline.records import params
from pipeline.site.ledger import Ledger
from schemas.table import columns

STAGES = ("impute", "estimate_operations", "estimate_gpu_time", "reconcile")
HEAD = """\
-- The stages from imputation to the headline, as DuckDB's SQL, written from the same code that made the ledger.
-- Run it on a copy of ledger.duckdb's tables in which `runs` and `allocations` say what is supposed.
"""


def read_tables() -> tuple[list[str], list[str]]:
    """Names of the tables that the stages read and do not make: those with rows of models, and the others."""
    wired = [flow.wiring(stage) for stage in STAGES]
    made = {name for each in wired for name in each.outputs}
    read = {name: contract for each in wired for name, contract in each.tables.items() if name not in made}
    of_models = sorted(name for name, contract in read.items() if "model_id" in columns(contract))
    return of_models, sorted(set(read) - set(of_models))


def statements(ledger: Ledger) -> list[Statement]:
    """The statements in their order. Defaults and parameters stand in them as numbers; rows of models do not."""
    connection = duckdb.connect()
    for name in sorted({name for stage in STAGES for name in flow.wiring(stage).tables} & ledger.names):
        rows = ledger.connection.table(name).to_arrow_table()
        connection.register("rows_of_it", rows)
        connection.execute(f'create table "{name}" as from rows_of_it')
        connection.unregister("rows_of_it")
    stages = [flow.expressions(name, params.load()) for name in STAGES]
    return [each for made in compiled.statements(stages, connection) for each in made]


def as_text(made: list[Statement]) -> str:
    """The statements as one file of SQL."""
    return HEAD + "".join(f"\ncreate or replace table {table} as\n{sql};\n" for table, sql, _ in made)
