"""`flopledger query`: SQL on the published database."""

import sys
from typing import Annotated

import typer

from pipeline.commands import ledger, output
from pipeline.commands.options import Csv, Json, refuse_both
from pipeline.commands.problems import WRONG_USAGE, reported
from schemas.units import DAY_SECONDS


def query(
    sql: Annotated[str, typer.Argument(metavar="SQL", help="One read-only statement; - reads it from standard input.")],
    csv: Csv = False,
    json: Json = False,
    timeout: Annotated[
        float, typer.Option(min=0.1, max=DAY_SECONDS, metavar="SECONDS", help="Stop a statement that takes longer.")
    ] = 30.0,
) -> None:
    """Query the published ledger in SQL (DuckDB), read-only.

    `show tables` lists tables and views. For a table in the schema `work`, write `from work.runs`.
    """
    from pipeline.commands.sql import QueryError, ask, bounded_memory, piped

    refuse_both(csv, json)
    with ledger.opened() as connection, reported(QueryError, code=WRONG_USAGE), bounded_memory():
        connection.execute("use main")  # as DuckDB's own shell does, so that `show tables` lists what users expect
        names, rows = ask(piped(sys.stdin.buffer.read()) if sql == "-" else sql, connection, timeout)
        output.write(names, rows, as_csv=csv, as_json=json)
