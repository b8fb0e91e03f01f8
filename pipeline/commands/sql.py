"""One reading SQL statement on the published database."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import duckdb

from pipeline.publishing.database import reason

BATCH_ROWS = 1_000
ALLOWED = "one SELECT, WITH, FROM, DESCRIBE, SHOW, SUMMARIZE or EXPLAIN of these"
FIRST_WORDS = re.compile(r"(?:\s|--[^\n]*\n|/\*.*?\*/)*(explain analyze|\w+)", re.DOTALL | re.IGNORECASE)
EXPLAINED = re.compile(r"\s*explain\s+(.*)", re.DOTALL | re.IGNORECASE)


class QueryError(Exception):
    """SQL without an answer: invalid, not a single reading statement, or with access to files or network; the message is one line."""


class Answer(NamedTuple):
    """Column names, and rows as an iterator."""

    names: Sequence[str]
    rows: Iterator[Sequence[Any]]


def ask(sql: str, connection: duckdb.DuckDBPyConnection) -> Answer:
    """The answer to one reading statement. Raises QueryError, here or while rows are fetched."""
    statements = _statements(sql)
    if len(statements) != 1:
        said = "there is no statement" if not statements else f"there are {len(statements)} statements"
        raise QueryError(f"{said}; query takes {ALLOWED}")
    kind = statements[0].type.name
    explained = EXPLAINED.match(sql) if kind == "EXPLAIN" else None
    # DESCRIBE, SHOW, SUMMARIZE and FROM are SELECTs to DuckDB; what writes in a WITH fails below.
    if kind != "SELECT" and not (explained and _is_select(explained[1])):
        typed = FIRST_WORDS.match(sql)
        word = typed[1].upper() if typed else kind
        raise QueryError(f"{word} is refused here; query only reads: {ALLOWED}")
    try:
        connection.execute(sql)
        names = [column[0] for column in connection.description or []]
    except duckdb.Error as problem:
        raise _said(problem) from None
    rows = _rows(connection)
    if explained:  # a plan is one cell of many lines
        return Answer(["plan"], ([line] for _, plan in rows for line in plan.splitlines()))
    return Answer(names, rows)


def piped(content: bytes) -> str:
    """SQL that came from another program. Raises QueryError where it is no text."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise QueryError(f"standard input is not text in UTF-8 (byte {problem.start})") from None


def _is_select(sql: str) -> bool:
    try:
        return [each.type.name for each in _statements(sql)] == ["SELECT"]
    except QueryError:  # EXPLAIN's own options
        return False


def _statements(sql: str) -> list[Any]:
    try:
        return list(duckdb.extract_statements(sql))
    except duckdb.Error as problem:
        raise QueryError(reason(problem)) from None


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
    message = reason(problem)
    # A WITH that writes is a SELECT until it runs.
    is_refused = isinstance(problem, duckdb.PermissionException) or "read-only mode" in message or "locked" in message
    return QueryError(f"{message}; query only reads the ledger" if is_refused else message)
