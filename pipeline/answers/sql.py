"""Run one read-only SQL statement on the published database."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import duckdb

from pipeline.models.sql import reason

BATCH_ROWS = 1_000
MEMORY_BYTES = 4_000_000_000  # DuckDB's own limit covers neither single values nor the Python objects made from them
NO_MEMORY = "needs more memory than a query may take; ask for less"
TIMES = re.compile("DATE|TIME")
REFUSED = "query takes one statement that only reads: SELECT, WITH, FROM, DESCRIBE, SHOW or SUMMARIZE"


class QueryError(Exception):
    """Raised for SQL that is invalid, is not one statement, does more than read, or accesses files or the network.

    The message is one line.
    """


def ask(sql: str, connection: duckdb.DuckDBPyConnection) -> tuple[Sequence[str], Iterator[Sequence[Any]]]:
    """Return the column names and the rows that answer one read-only statement.

    Raise QueryError, now or while rows are fetched, if the statement is refused.
    """
    # To DuckDB, DESCRIBE, SHOW, SUMMARIZE and FROM are SELECTs. So is a WITH that writes, but it fails when it runs.
    if _statements(sql) != ["SELECT"]:
        raise QueryError(REFUSED)
    with _raise_query_errors():
        relation = connection.sql(_single_statement(sql))
        are_times = [TIMES.search(str(column_type)) is not None for column_type in relation.types]
        if any(are_times):
            # In Python, times with a time zone need another library, and infinity becomes the last day of 9999.
            shown = ", ".join(f"#{place}{'::varchar' * is_time}" for place, is_time in enumerate(are_times, 1))
            sql = relation.project(shown).sql_query()
        connection.execute(sql)
    return relation.columns, _rows(connection)


@contextmanager
def _raise_query_errors() -> Iterator[None]:
    """Raise QueryError for every error of DuckDB."""
    try:
        yield
    except (duckdb.Error, ValueError, OverflowError) as problem:
        raise _query_error(problem) from None


def _single_statement(sql: str) -> str:
    """Return a single statement without its final semicolon and whatever follows it."""
    written = sql.encode()  # token offsets are in bytes
    end = len(written)
    for place, kind in reversed(duckdb.tokenize(sql)):
        if kind == duckdb.token_type.operator and written[place : place + 1] == b";":
            end = place
        elif kind != duckdb.token_type.comment:
            break
    return written[:end].decode()


def piped_sql(content: bytes) -> str:
    """Decode SQL that was piped from another program. Raise QueryError if it is not text."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise QueryError(f"standard input is not text in UTF-8 (byte {problem.start})") from None


def _statements(sql: str) -> list[str]:
    """Return the kind of each statement. Raise QueryError if one is invalid or of a kind without a name in DuckDB."""
    try:
        return [statement.type.name for statement in duckdb.extract_statements(sql)]
    except duckdb.Error as problem:
        raise QueryError(reason(problem)) from None
    except Exception:
        raise QueryError(REFUSED) from None


def _rows(connection: duckdb.DuckDBPyConnection) -> Iterator[Sequence[Any]]:
    with _raise_query_errors():
        while batch := connection.fetchmany(BATCH_ROWS):
            yield from batch


def _query_error(problem: Exception) -> QueryError:
    message = reason(problem)
    if isinstance(problem, duckdb.OutOfMemoryException):
        return QueryError(NO_MEMORY)
    # DuckDB recognizes a WITH that writes only when it runs.
    is_refused = isinstance(problem, duckdb.PermissionException) or "read-only mode" in message or "locked" in message
    return QueryError(
        f"{message}; query only reads the ledger; for tables of your own, open ledger.duckdb in DuckDB"
        if is_refused
        else message
    )
