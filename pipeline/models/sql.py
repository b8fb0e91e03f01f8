"""Run the rules: SQL files on a DuckDB connection, each after the tables that it reads.

A file `<name>.sql` in this folder is one query, whose result is the table `<name>`. It reads the tables named after
`from` and `join`. `PYTHON` lists the rules that need Python. Tables that the connection already has (the ledger's, one
model's, or a caller's) are used as they are. Rules make temporary tables, so the connection's own tables do not change.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

MODELS = Path(__file__).parent
PIPELINE = __package__.rpartition(".")[0]  # the package has another name in a wheel
MACROS = ("macros", "macros_of_cases", "macros_of_forecasts")
Row = Mapping[str, Any]
FEW_ROWS = 10


class PythonRule(NamedTuple):
    """A function that makes tables in a connection, and the tables that it reads there."""

    reads: tuple[str, ...]
    make: Callable[[duckdb.DuckDBPyConnection], None]


# The modules of rules that need Python, by the table that they make. A module has a `RULE`, or `RULES` by table.
PYTHON = {
    "operation_counts": "rules.operation_counts",
    "operation_counts_by_kind": "rules.operation_counts",
    **dict.fromkeys(
        ("utilization_model", "gold_utilizations", "utilization_backtests"), "rules.utilization.predictions"
    ),
    **dict.fromkeys(("imputation_backtests", "imputation_errors", "year_peak_comparison"), "rules.backtests"),
    "sentences": "rules.dispute_sentences",
}


class RuleError(ValueError):
    """Raised if a rule cannot run: a circular dependency, or a query that fails. The message names the file."""


@cache
def sql_of(name: str) -> str:
    """Return the query that makes this table."""
    return (MODELS / f"{name}.sql").read_text(encoding="utf-8")


@cache
def tables() -> frozenset[str]:
    """Return the names of all tables that the rules make."""
    return frozenset({path.stem for path in MODELS.glob("*.sql")} - {*MACROS} | PYTHON.keys())


@cache
def macros() -> str:
    """Return the statements that create the macros on which queries rely."""
    return "\n".join(map(sql_of, MACROS))


@cache
def tables_read(name: str) -> frozenset[str]:
    """Return the tables that the rule for a table reads, except common table expressions."""
    if name in PYTHON:
        return frozenset(_python(name).reads)
    return tables_in(sql_of(name))


def tables_in(query: str) -> frozenset[str]:
    """Return the tables and views that a query reads, except common table expressions."""
    text = re.sub(r"--[^\n]*|'[^']*'", "", query)
    parts = set(re.findall(r"\b(\w+)(?:\([\w, ]+\))? as (?:materialized )?\(", text))
    return frozenset(re.findall(r"\b(?:from|join) (\w+)(?!\w*\()", text)) - parts


def _python(name: str) -> PythonRule:
    module = import_module(f"{PIPELINE}.{PYTHON[name]}")
    rule: PythonRule = module.RULES[name] if hasattr(module, "RULES") else module.RULE
    return rule


def in_order(wanted: Iterable[str], given: Collection[str] = ()) -> list[str]:
    """Return the wanted tables and all tables that they need, except given tables, in the order in which to make them.

    Raise RuleError for a circular dependency.
    """
    made, reads = tables() - {*given}, dict[str, list[str]]()
    needed = [*wanted]
    for name in needed:  # grows while we read it
        if name in made and name not in reads:
            reads[name] = sorted(tables_read(name) & made)
            needed += reads[name]
    try:
        return [*TopologicalSorter(reads).static_order()]
    except CycleError as problem:
        raise RuleError(f"pipeline/models: {' reads '.join(reversed(problem.args[1]))}: a circle") from None


def inputs(wanted: Iterable[str], given: Collection[str] = ()) -> frozenset[str]:
    """Return the tables that must exist before the wanted ones can be made."""
    return frozenset().union(*map(tables_read, in_order(wanted, given))) - tables() | frozenset(given)


def reason(problem: Exception) -> str:
    """Return the message of a DuckDB error on one line, without its excerpt of the SQL."""
    return " ".join(str(problem).split("\n\nLINE ")[0].split())


def run(connection: duckdb.DuckDBPyConnection, wanted: Iterable[str], given: Collection[str] = ()) -> list[str]:
    """Make the wanted tables, and all tables that they need, in the connection. Return their names in order.

    Raise RuleError, which names the file, if a query fails.
    """
    connection.execute(macros())
    order = in_order(wanted, given)
    functions_run = set()  # a function may make several tables
    for name in order:
        try:
            if name not in PYTHON:
                connection.execute(f"create or replace temp table {name} as\n{sql_of(name)}")
            elif (make := _python(name).make) not in functions_run:
                make(connection)
                functions_run.add(make)
        except (duckdb.ProgrammingError, duckdb.DataError, duckdb.InvalidInputException) as problem:
            rule = f"{PYTHON[name].replace('.', '/')}.py" if name in PYTHON else f"models/{name}.sql"
            raise RuleError(f"pipeline/{rule}: {reason(problem)}") from None
    return order


def connection_with(tables: Mapping[str, Any], params: Any) -> duckdb.DuckDBPyConnection:
    """Return a new connection with `params` and these tables (relations by name)."""
    connection = duckdb.connect()
    for name, relation in tables.items():
        connection.register("given_rows", relation.to_arrow_table())
        connection.execute(f'create table "{name}" as from given_rows')
        connection.unregister("given_rows")
    set_params(connection, params.model_dump())
    return connection


def set_params(connection: duckdb.DuckDBPyConnection, blocks: Mapping[str, Any]) -> None:
    """Make the table `params`, replacing any earlier one."""
    connection.execute(params_statement(blocks))


def params_statement(blocks: Mapping[str, Any]) -> str:
    """Return the statement that makes the table `params`: one row, with a struct for each block of params.yaml."""
    columns = ", ".join(f"{literal(block)} as {name}" for name, block in blocks.items())
    return f"create or replace temp table params as select {columns}"


def set_params_of(cursor: duckdb.DuckDBPyConnection, connection: duckdb.DuckDBPyConnection) -> None:
    """Copy the table `params` to a cursor, because a cursor does not see its connection's temporary tables."""
    columns = connection.table("params").columns
    set_params(cursor, dict(zip(columns, connection.table("params").fetchall()[0], strict=True)))


def literal(value: Any) -> str:
    """Return a Python value as an SQL literal. A mapping becomes a struct.

    >>> literal({"ratio": 2.0, "name": "it's"})
    "{'ratio': 2.0::double, 'name': 'it''s'}"
    """
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"'{key}': {literal(held)}" for key, held in value.items()) + "}"
    if value is None or isinstance(value, bool | int):
        return "null" if value is None else str(value).lower()
    if isinstance(value, date):
        return f"date '{value.isoformat()}'"
    if isinstance(value, float):
        return f"{value!r}::double" if isfinite(value) else f"'{value}'::double"
    return "'" + str(value).replace("'", "''") + "'"


def types_of(name: str) -> dict[str, str]:
    """Return the DuckDB type of each column of a table, by name, from the table's contract."""
    from schemas.columns import DUCKDB  # reads columns.csv, which code that only reads the ledger does not need
    from schemas.tables import columns_of

    return {column: DUCKDB[place.column.kind] for column, place in columns_of(name).items()}


def create(
    connection: duckdb.DuckDBPyConnection, name: str, rows: Iterable[Row], columns: Mapping[str, str] | None = None
) -> None:
    """Make a temporary table of these rows. Its columns are `columns` (types by name), or those of its contract."""
    typed = ", ".join(f'"{column}" {kind}' for column, kind in (columns or types_of(name)).items())
    connection.execute(f'create or replace temp table "{name}" ({typed})')
    insert(connection, name, rows)


def insert(connection: duckdb.DuckDBPyConnection, name: str, rows: Iterable[Row]) -> None:
    """Insert rows into a table. Columns that a row lacks become null."""
    new_rows = [*rows]
    if not new_rows:
        return
    kinds = {column: kind for (column, kind, *_) in connection.execute(f'describe "{name}"').fetchall()}
    if len(new_rows) > FEW_ROWS:  # pass lists, because parsing thousands of rows as text takes seconds
        columns = ", ".join(f"unnest(${place}::{kind}[])" for place, kind in enumerate(kinds.values(), 1))
        lists = [[row.get(column) for row in new_rows] for column in kinds]
        connection.execute(f'insert into "{name}" select {columns}', lists)
    else:
        lines = (f"({', '.join(literal(row.get(column)) for column in kinds)})" for row in new_rows)
        connection.execute(f'insert into "{name}" values {", ".join(lines)}')


def rows(relation: duckdb.DuckDBPyRelation, order: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Return the rows of a relation as mappings, ordered by these columns."""
    ordered = relation.order(", ".join(f'"{name}"' for name in order)) if order else relation
    names = ordered.columns
    return [dict(zip(names, row, strict=True)) for row in ordered.fetchall()]
