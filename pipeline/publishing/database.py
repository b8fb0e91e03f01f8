"""ledger.duckdb: every table and view with comments, written from relations, and opened read-only."""

import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import duckdb

from pipeline.paths import IS_RELEASE, LEDGER, ROOT, replace_file

STORAGE = "v1.0.0"  # readable by every DuckDB since 1.0
# Read-only: no files, no network, no extensions, no spilling, no Python variables as tables, and no statement may change this.
READING_ALONE = {
    "enable_external_access": "false",
    "python_enable_replacements": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "temp_directory": "",
    "lock_configuration": "true",
}


class DatabaseError(Exception):
    """The database is not available; one line with the remedy."""


def write(path: Path, tables: Mapping[str, Any]) -> None:
    """Writes these relations of DuckDB's default connection, by table name, and the views over them, all with comments."""
    duckdb.sql(f"attach {_quoted(str(path))} as book (storage_version '{STORAGE}')")
    try:
        for name, table in sorted(tables.items()):
            table.create(f"book.main.{name}")
            contract = _contract(name)
            duckdb.sql(f"comment on table book.main.{name} is {_quoted(contract.__doc__)}")
            for column, described in contract.to_schema().columns.items():
                duckdb.sql(f'comment on column book.main.{name}."{column}" is {_quoted(described.description)}')
        _write_views()
    finally:
        duckdb.sql("detach book")


def _write_views() -> None:
    from pipeline.publishing.views import VIEWS  # with the contracts, which reading needs not

    before = duckdb.sql("select current_catalog()").fetchall()[0][0]
    duckdb.sql("use book")  # a view's tables are looked up in its own database
    try:
        for name, view in VIEWS.items():
            duckdb.sql(f"create view {name} as {view.sql}")
            duckdb.sql(f"comment on view {name} is {_quoted(view.description)}")
            for column in duckdb.table(name).columns:
                meaning = view.columns.get(column) or _field(column)
                duckdb.sql(f"comment on column {name}.{column} is {_quoted(meaning)}")
    finally:
        duckdb.sql(f"use {before}")


def _contract(name: str) -> Any:
    module = import_module(f"schemas.tables.{name}")
    return next(
        each for each in vars(module).values() if getattr(each, "__module__", "") == module.__name__ and hasattr(each, "__grain__")
    )  # fmt: skip


def _field(name: str) -> str:
    from schemas import fields

    return str(getattr(fields, name).__metadata__[0].description)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


@contextmanager
def reading(root: Path = LEDGER) -> Iterator[duckdb.DuckDBPyConnection]:
    """The published database, read-only; rebuilt from data/tables where it is missing, older or unreadable.

    Raises DatabaseError where the tables are missing too. Where the folder is not writable, a temporary copy is opened.
    """
    path = root / "data" / "published" / "ledger.duckdb"
    why = _why_rebuild(path, root)
    connection = None if why else _open(path)
    with tempfile.TemporaryDirectory() as scratch:
        if connection is None:
            connection = _open(_rebuilt(path, root, why or "cannot be read", Path(scratch)))
        if connection is None:
            raise DatabaseError(f"{_near(path)} cannot be read; `make repro` makes it again")
        with connection:
            yield connection


def _open(path: Path) -> duckdb.DuckDBPyConnection | None:
    try:
        return duckdb.connect(str(path), read_only=True, config=READING_ALONE)
    except duckdb.Error:
        return None


def table_files(root: Path = LEDGER) -> dict[str, Path]:
    """The parquet file of each table, by name: one for every contract."""
    names = sorted(path.stem for path in (ROOT / "schemas" / "tables").glob("*.py") if path.stem != "__init__")
    return {name: root / "data" / "tables" / f"{name}.parquet" for name in names}


def _why_rebuild(path: Path, root: Path) -> str | None:
    if not path.is_file():
        return "is missing"
    if IS_RELEASE and root == LEDGER:
        return None
    made_from = [
        file for file in (*table_files(root).values(), root / "pipeline" / "publishing" / "views.py") if file.is_file()
    ]
    return "is older than its tables" if any(_age(file) > _age(path) for file in made_from) else None


def _age(path: Path) -> int:
    return path.stat().st_mtime_ns


def _rebuilt(path: Path, root: Path, why: str, scratch: Path) -> Path:
    """Path of the rebuilt database: its place in data/published, or in the scratch folder where that is not writable."""
    files = table_files(root)
    missing = [name for name, file in files.items() if not file.is_file()]
    if missing:
        which = f"{missing[0]}.parquet" + (f" and {len(missing) - 1} more" if len(missing) > 1 else "")
        raise DatabaseError(f"{_near(path)} {why}, and data/tables lacks {which}; `make repro` makes them all")
    tables = {name: duckdb.read_parquet(str(file)) for name, file in files.items()}
    try:
        replace_file(path, lambda beside: write(beside, tables))
        print(f"{_near(path)} {why}; made again from data/tables", file=sys.stderr)
        return path
    except (duckdb.Error, OSError):
        try:
            write(scratch / path.name, tables)
        except (duckdb.Error, OSError) as problem:
            raise DatabaseError(f"{_near(path)} cannot be made: {one_line(problem)}; `make repro` makes it") from None
    print(f"{_near(path)} {why}; made for this once, as its folder cannot be written", file=sys.stderr)
    return scratch / path.name


def _near(path: Path) -> str:
    near = os.path.relpath(path)
    return str(path) if near.startswith("..") else near


def one_line(problem: Exception) -> str:
    """The message of an error without the lines that point into the SQL, in one line."""
    return " ".join(str(problem).split("\n\nLINE ")[0].split())
