"""Run the rules: SQL files on a DuckDB connection, each after the tables that it reads.

A file `<name>.sql` of this folder is one query; its result is the table `<name>`. What it reads is what its text names
after `from` and `join`. A rule that needs Python is named in `PYTHON`. A table that the connection already has (the
ledger's, one model's rows, a caller's) is taken as it is. Tables that rules make are temporary: nothing of a connection
is changed.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date
from functools import cache
from importlib import import_module
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

MODELS = Path(__file__).parent
PIPELINE = __package__.rpartition(".")[0]  # a wheel has another name for it
MACROS = ("macros", "macros_of_cases")
Row = Mapping[str, Any]
ROWS_A_STATEMENT = 500


class PythonRule(NamedTuple):
    """A function that makes tables in a connection, from tables that it reads there."""

    reads: tuple[str, ...]
    make: Callable[[duckdb.DuckDBPyConnection], None]


# The modules of rules that need Python, by the table that they make; each has a `RULE`.
PYTHON = {
    "operation_counts": "rules.operation_counts",
    "operation_counts_by_kind": "rules.operation_counts",
    "utilization_model": "rules.utilization.predictions",
    "gold_utilizations": "rules.utilization.gold",
    "sentences": "rules.sentences",
}


class RuleError(ValueError):
    """A rule that cannot run: a circle, or a query that fails; the message names the file."""


@cache
def sql_of(name: str) -> str:
    """The query that makes this table."""
    return (MODELS / f"{name}.sql").read_text(encoding="utf-8")


@cache
def tables() -> frozenset[str]:
    """The tables that files or functions make."""
    return frozenset({path.stem for path in MODELS.glob("*.sql")} - {*MACROS} | PYTHON.keys())


@cache
def macros() -> str:
    """The statements that make the macros, which queries of several tables use."""
    return "\n".join(map(sql_of, MACROS))


@cache
def reads(name: str) -> frozenset[str]:
    """The tables that one of `tables` reads; names of its own `with` parts are not among them."""
    if name in PYTHON:
        return frozenset(_python(name).reads)
    return tables_in(sql_of(name))


def tables_in(query: str) -> frozenset[str]:
    """The tables and views that a query reads; names of its own `with` parts are not among them."""
    text = re.sub(r"--[^\n]*|'[^']*'", "", query)
    parts = set(re.findall(r"\b(\w+)(?:\([\w, ]+\))? as (?:materialized )?\(", text))
    return frozenset(re.findall(r"\b(?:from|join) (\w+)(?!\w*\()", text)) - parts


def _python(name: str) -> PythonRule:
    rule: PythonRule = import_module(f"{PIPELINE}.{PYTHON[name]}").RULE
    return rule


def in_order(wanted: Iterable[str], given: Collection[str] = ()) -> list[str]:
    """The tables to make for those wanted, each after what it reads; those given are not made.

    Raises RuleError for a circle.
    """
    order: list[str] = []
    path: list[str] = []

    def add(name: str) -> None:
        """Appends a table after those that it reads."""
        if name in order or name in given or name not in tables():
            return
        if name in path:
            raise RuleError(f"pipeline/models: {' reads '.join([*path[path.index(name) :], name])}: a circle")
        path.append(name)
        for table in sorted(reads(name)):
            add(table)
        order.append(path.pop())

    for name in wanted:
        add(name)
    return order


def inputs(wanted: Iterable[str], given: Collection[str] = ()) -> frozenset[str]:
    """The tables that must be there so that those wanted can be made."""
    return frozenset().union(*map(reads, in_order(wanted, given))) - tables() | frozenset(given)


def reason(problem: Exception) -> str:
    """The message of an error of DuckDB without the lines that point into the SQL, in one line."""
    return " ".join(str(problem).split("\n\nLINE ")[0].split())


def run(connection: duckdb.DuckDBPyConnection, wanted: Iterable[str], given: Collection[str] = ()) -> list[str]:
    """Makes the tables wanted, and those that they need, in the connection; returns their names in that order.

    Raises RuleError where a query fails, with the file's name.
    """
    connection.execute(macros())
    order = in_order(wanted, given)
    made_by_function: set[str] = set()
    for name in order:
        try:
            if name not in PYTHON:
                connection.execute(f"create or replace temp table {name} as\n{sql_of(name)}")
            elif PYTHON[name] not in made_by_function:
                _python(name).make(connection)
                made_by_function.add(PYTHON[name])
        except (duckdb.ProgrammingError, duckdb.DataError, duckdb.InvalidInputException) as problem:
            raise RuleError(f"pipeline/models/{name}.sql: {reason(problem)}") from None
    return order


def script(wanted: Iterable[str], given: Collection[str] = ()) -> list[str]:
    """The statements that make the tables wanted from those given, macros first: what a browser runs, one at a time."""
    return [
        *(statement.strip() for statement in re.split(r";\s*\n", macros()) if "create" in statement),
        *(f"create or replace temp table {name} as\n{sql_of(name).strip()}" for name in in_order(wanted, given)),
    ]


def connection_with(tables: Mapping[str, Any], params: Any) -> duckdb.DuckDBPyConnection:
    """A connection of its own that holds these tables (relations) by name, and `params`."""
    connection = duckdb.connect()
    for name, relation in tables.items():
        connection.register("given_rows", relation.to_arrow_table())
        connection.execute(f'create table "{name}" as from given_rows')
        connection.unregister("given_rows")
    set_params(connection, params.model_dump())
    return connection


def set_params(connection: duckdb.DuckDBPyConnection, blocks: Mapping[str, Any]) -> None:
    """Makes the table `params`."""
    connection.execute(params_statement(blocks))


def params_statement(blocks: Mapping[str, Any]) -> str:
    """The statement that makes the table `params`: one row, a struct for each block of params.yaml."""
    columns = ", ".join(f"{literal(block)} as {name}" for name, block in blocks.items())
    return f"create or replace temp table params as select {columns}"


def set_params_of(cursor: duckdb.DuckDBPyConnection, connection: duckdb.DuckDBPyConnection) -> None:
    """Makes the table `params` of a connection also in a cursor of it, which sees no temporary table of it."""
    columns = connection.table("params").columns
    set_params(cursor, dict(zip(columns, connection.table("params").fetchall()[0], strict=True)))


def literal(value: Any) -> str:
    """A value of Python's as SQL; a mapping becomes a struct.

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


def create(connection: duckdb.DuckDBPyConnection, name: str, columns: Mapping[str, str], held: Iterable[Row]) -> None:
    """Makes a temporary table of rows; `columns` has its columns with their types."""
    typed = ", ".join(f'"{column}" {kind}' for column, kind in columns.items())
    connection.execute(f'create or replace temp table "{name}" ({typed})')
    insert(connection, name, held)


def insert(connection: duckdb.DuckDBPyConnection, name: str, rows: Iterable[Row]) -> None:
    """Adds rows to a table; a column that a row lacks is null."""
    held = [*rows]
    columns = [column for (column, *_) in connection.execute(f'describe "{name}"').fetchall()]
    for start in range(0, len(held), ROWS_A_STATEMENT):
        lines = (
            f"({', '.join(literal(row.get(column)) for column in columns)})"
            for row in held[start : start + ROWS_A_STATEMENT]
        )
        connection.execute(f'insert into "{name}" values {", ".join(lines)}')


def rows(relation: duckdb.DuckDBPyRelation, order: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The rows of a relation as mappings, in the order of these columns."""
    ordered = relation.order(", ".join(f'"{name}"' for name in order)) if order else relation
    names = ordered.columns
    return [dict(zip(names, row, strict=True)) for row in ordered.fetchall()]
