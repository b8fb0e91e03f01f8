"""Counts and averages for reports: the SQL files in `views/`, created as temporary views over a ledger."""

from collections.abc import Mapping
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import duckdb

from pipeline.models import sql

FOLDER = Path(__file__).with_name("views")


def statements() -> dict[str, str]:
    """Return the query of each view by name, each after the views that it reads."""
    queries = {file.stem: file.read_text(encoding="utf-8") for file in sorted(FOLDER.glob("*.sql"))}
    order = TopologicalSorter({name: sorted(sql.tables_in(query) & queries.keys()) for name, query in queries.items()})
    return {name: queries[name] for name in order.static_order()}


def product_metrics(tables: Mapping[str, Any], params: Any) -> sql.Row:
    """Return the figures about the whole ledger that `dvc metrics` shows, given the ledger's tables by name."""
    query = statements()["product_metrics"]
    read = {name: tables[name] for name in sorted(sql.tables_in(query) & tables.keys())}
    (row,) = sql.rows(sql.connection_with(read, params).sql(query), ["models"])
    return row


def create(connection: duckdb.DuckDBPyConnection, params: Mapping[str, Any]) -> None:
    """Create the views, and the table `params` with these values, in a connection that has a ledger's tables."""
    sql.set_params(connection, params)
    for name, query in statements().items():
        connection.execute(f"create or replace temp view {name} as {query}")
