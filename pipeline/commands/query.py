"""`flopledger query`: SQL on the published database."""

import sys
from typing import Annotated

import typer

from pipeline.answers import ledger, output
from pipeline.answers.options import Csv, Json, refuse_both
from pipeline.answers.problems import WRONG_USAGE, reported, stop
from pipeline.base import deadline
from schemas.units import DAY_SECONDS

LONGEST_SECONDS = 30.0  # for an answer, unless the user asks for more


def query(
    sql: Annotated[str, typer.Argument(metavar="SQL", help="One read-only statement; - reads it from standard input.")],
    csv: Csv = False,
    json: Json = False,
    timeout: Annotated[
        float, typer.Option(min=0.1, max=DAY_SECONDS, metavar="SECONDS", help="Stop a statement that takes longer.")
    ] = LONGEST_SECONDS,
) -> None:
    """Query the published ledger in SQL (DuckDB), read-only.

    `show tables` lists tables and views. For a table in the schema `work`, write `from work.runs`.
    """
    from pipeline.answers.sql import MEMORY_BYTES, NO_MEMORY, QueryError, ask, piped_sql

    refuse_both(csv, json)
    deadline.shorten(
        timeout, WRONG_USAGE, f"took longer than {timeout:g} s; ask for less, or give it more time with --timeout"
    )
    try:
        with ledger.open_ledger() as connection, reported(QueryError, code=WRONG_USAGE):
            deadline.limit_memory(MEMORY_BYTES)
            connection.execute("use main")  # as in DuckDB's shell, so that `show tables` lists what users expect
            names, rows = ask(piped_sql(sys.stdin.buffer.read()) if sql == "-" else sql, connection)
            output.write(names, rows, as_csv=csv, as_json=json)
    except MemoryError:
        stop(NO_MEMORY, WRONG_USAGE)
