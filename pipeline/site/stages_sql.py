"""The stages from imputation to the headline as SQL statements, so that a what-if in the browser runs the project's own rules.

They read tables of ledger.duckdb by their names, in an in-memory copy that holds a few models, and make the tables that the stages
make. A stage's rows that several queries read are kept as `step_<n>`.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import duckdb
import narwhals as nw

from pipeline import flow
from pipeline.records import params
from pipeline.rules import frames
from pipeline.site.ledger import Ledger
from schemas.table import columns

STAGES = ("impute", "estimate_operations", "estimate_gpu_time", "reconcile")
DRAWN_NAME = re.compile(r"row_index_[0-9a-f]{8,}")  # narwhals draws names of columns that it drops again
HEAD = """\
-- The stages from imputation to the headline, as DuckDB's SQL, written from the same code that made the ledger.
-- Run it on a copy of ledger.duckdb's tables in which `runs` and `allocations` say what is supposed.
"""


class Statement(NamedTuple):
    """A table and the query that makes it from the tables before."""

    table: str
    sql: str


def read_tables() -> tuple[list[str], list[str]]:
    """Names of the tables that the stages read and do not make: those with rows of models, and the others."""
    wired = [flow.wiring(stage) for stage in STAGES]
    made = {name for each in wired for name in each.outputs}
    read = {name: contract for each in wired for name, contract in each.tables.items() if name not in made}
    of_models = sorted(name for name, contract in read.items() if "model_id" in columns(contract))
    return of_models, sorted(set(read) - set(of_models))


def statements(ledger: Ledger) -> list[Statement]:
    """The statements in their order. Defaults and parameters stand in them as numbers; rows of models do not."""
    made: list[Statement] = []
    connection = duckdb.connect()
    for name in sorted({name for stage in STAGES for name in flow.wiring(stage).tables} & ledger.names):
        rows = ledger.connection.table(name).to_arrow_table()
        connection.register("rows_of_it", rows)
        connection.execute(f'create table "{name}" as from rows_of_it')
        connection.unregister("rows_of_it")

    drawn: dict[str, str] = {}

    def keep(table: str, relation: Any) -> None:
        sql = DRAWN_NAME.sub(
            lambda name: drawn.setdefault(name[0], f"row_index_{len(drawn) + 1}"), relation.sql_query()
        )
        made.append(Statement(table, sql))
        relation.limit(0).create(table)  # what follows needs its columns

    def hold(frame: Any) -> Any:
        table = f"step_{sum(each.table.startswith('step_') for each in made) + 1}"
        keep(table, frame.to_native())
        return nw.from_native(connection.table(table))

    with frames.holding(hold):
        for stage in STAGES:
            for name, relation in _results(stage, connection):
                keep(name, relation)
    return made


def _results(stage: str, connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, Any]]:
    wired = flow.wiring(stage)
    arguments: dict[str, Any] = {name: nw.from_native(connection.table(name)) for name in wired.tables}
    if "params" in wired.others:
        arguments["params"] = getattr(params.load(), flow.params_blocks(wired)[0])
    made = wired.build(**arguments)
    tables = made._asdict() if hasattr(made, "_asdict") else dict.fromkeys(wired.outputs, made)
    for name, contract in wired.outputs.items():
        # The connection has today's table of that name, which the stage makes anew.
        connection.execute(f'drop table if exists "{name}"')
        yield name, tables[name].to_native().project(", ".join(columns(contract)))


def as_text(made: list[Statement]) -> str:
    """The statements as one file of SQL."""
    return HEAD + "".join(f"\ncreate or replace table {table} as\n{sql};\n" for table, sql in made)
