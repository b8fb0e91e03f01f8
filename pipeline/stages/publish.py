"""Writes what the world gets: estimates as CSV and parquet, and a DuckDB file with all tables."""

import csv
import io
import re
from pathlib import Path

import duckdb

from schemas import expectations, params
from schemas.table import ContractError, Ledger, TableModel, columns
from schemas.tables.estimates import Estimates

DUCKDB_STORAGE = "v1.0.0"  # readable by every DuckDB since 1.0
RUNS_IN_A_SPREADSHEET = re.compile(r"[=+\-@\t\r]")


def build(ledger: Ledger, params: params.Publish, release: Path) -> None:
    """Writes what the world gets: estimates as CSV and parquet, and a DuckDB file with all tables."""
    rounded = _rounded(ledger["estimates"], params.significant_digits)
    problems = expectations.broken(rounded.df())
    if problems:
        raise ContractError("\n".join(problems))
    (release / "estimates.csv").write_text(_csv(rounded, params.significant_digits), encoding="utf-8", newline="")
    rounded.write_parquet(str(release / "estimates.parquet"))
    _write_book(release / "ledger.duckdb", ledger)


def _rounded(estimates, digits):
    # The parquet holds what the CSV shows; the database keeps every digit.
    shown = [
        f"cast(printf('%.{digits}g', {name}) as double) as {name}" if kind == "float" else name
        for name, kind in columns(Estimates).items()
    ]
    return estimates.to_native().project(", ".join(shown)).order("model_id")


def _csv(rounded, digits):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(rounded.columns)
    writer.writerows([_cell(value, digits) for value in row] for row in rounded.fetchall())
    return text.getvalue()


def _cell(value, digits):
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.{digits}g}"
    # A leading apostrophe makes a spreadsheet show the text instead of running it.
    return f"'{value}" if RUNS_IN_A_SPREADSHEET.match(value) else value


def _write_book(path, tables):
    contracts = {contract.__module__.rsplit(".", 1)[-1]: contract for contract in TableModel.__subclasses__()}
    duckdb.sql(f"attach '{path}' as book (storage_version '{DUCKDB_STORAGE}')")
    try:
        for name, table in sorted(tables.items()):
            table.to_native().create(f"book.main.{name}")
            duckdb.sql(f"comment on table book.main.{name} is {_quoted(contracts[name].__doc__)}")
            for column, described in contracts[name].to_schema().columns.items():
                duckdb.sql(f"comment on column book.main.{name}.{column} is {_quoted(described.description)}")
    finally:
        duckdb.sql("detach book")


def _quoted(text):
    return "'" + text.replace("'", "''") + "'"
