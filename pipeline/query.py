"""One reading SQL statement on the published database."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import duckdb

from pipeline.database import one_line

BATCH_ROWS = 1_000
ALLOWED = "one SELECT, WITH, FROM, DESCRIBE, SHOW or SUMMARIZE"


class QueryError(Exception):
    """SQL that has no answer, in one line; `is_refused` where it is not one reading statement or would reach outside."""

    def __init__(self, message: str, is_refused: bool) -> None:
        super().__init__(message)
        self.is_refused = is_refused


class Answer(NamedTuple):
    """Column names, and rows as they come."""

    names: Sequence[str]
    rows: Iterator[Sequence[Any]]


def ask(sql: str, connection: duckdb.DuckDBPyConnection) -> Answer:
    """The answer to one reading statement. Raises QueryError, here or while rows come."""
    try:
        statements = duckdb.extract_statements(sql)
    except duckdb.Error as problem:
        raise QueryError(one_line(problem), is_refused=True) from None
    if len(statements) != 1:
        said = "there is no statement" if not statements else f"there are {len(statements)} statements"
        raise QueryError(f"{said}; query takes {ALLOWED}", is_refused=True)
    kind = statements[0].type.name
    if kind != "SELECT":  # DESCRIBE, SHOW, SUMMARIZE and FROM are SELECTs to DuckDB; what writes in a WITH fails below
        raise QueryError(f"{kind} is refused; query only reads: {ALLOWED}", is_refused=True)
    try:
        connection.execute(sql)
        names = [column[0] for column in connection.description or []]
    except duckdb.Error as problem:
        raise _said(problem) from None
    return Answer(names, _rows(connection))


def _rows(connection: duckdb.DuckDBPyConnection) -> Iterator[Sequence[Any]]:
    while True:
        try:
            batch = connection.fetchmany(BATCH_ROWS)
        except (duckdb.Error, ValueError, OverflowError) as problem:
            raise _said(problem) from None
        if not batch:
            return
        yield from batch


def _said(problem: Exception) -> QueryError:
    message = one_line(problem)
    # A WITH that writes is a SELECT until it runs.
    is_refused = isinstance(problem, duckdb.PermissionException) or "read-only mode" in message or "locked" in message
    return QueryError(f"{message}; query only reads the ledger" if is_refused else message, is_refused)
