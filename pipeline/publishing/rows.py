"""Rows of a query as dicts, in a module that can be imported without DuckDB."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]


def rows(connection: duckdb.DuckDBPyConnection, sql: str, *values: Any, **named: Any) -> list[Row]:
    """Return the rows of a query as dicts by column. `values` or `named` replace its placeholders ($1 or $name)."""
    result = connection.execute(sql, named or list(values))
    names = [column[0] for column in result.description or []]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]
