"""ledger.duckdb: every table and view with comments, written from relations, and opened read-only.

It holds the digest of what it was made from (`select made_from()`): that says whether it is of the present tables, whatever the clock says.
"""

import hashlib
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import duckdb

from pipeline.paths import IS_RELEASE, LEDGER, ROOT, replace_file
from pipeline.publishing import freshness
from pipeline.publishing.views import VIEWS, statement
from schemas import columns

STORAGE = "v1.0.0"  # readable by every DuckDB since 1.0
# Read-only: no files, no network, no extensions, no spilling, no Python variables as tables, and no statement may change this.
READING_ALONE = {
    "enable_external_access": "false",
    "python_enable_replacements": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "temp_directory": "",
    "memory_limit": "2GB",
    "lock_configuration": "true",
}
MACHINE = (duckdb.IOException, duckdb.FatalException)  # as where the disk is full


class DatabaseError(Exception):
    """The database is not available; one line with the remedy."""


def write(path: Path, tables: Mapping[str, Any], made_from: str) -> None:
    """Writes these relations of DuckDB's default connection, by table name, and the views over them, all with comments, and the digest."""
    before = duckdb.sql("select current_catalog()").fetchall()[0][0]
    duckdb.sql(f"attach {_quoted(str(path))} as book (storage_version '{STORAGE}')")
    try:
        duckdb.sql("begin")  # else each of hundreds of statements writes to the file
        try:
            for name, table in sorted(tables.items()):
                table.create(f"book.main.{name}")
                duckdb.execute("; ".join(_comments(name)))
            duckdb.sql("use book")  # a view's tables are looked up in its own database
            _write_views()
            duckdb.sql(f"create macro book.main.made_from() as {_quoted(made_from)}")
            duckdb.sql("commit")
        except BaseException:
            with suppress(duckdb.Error):  # DuckDB has ended it where the disk is full
                duckdb.sql("rollback")
            raise
        finally:
            duckdb.sql(f"use {before}")
    finally:
        duckdb.sql("detach book")


def _comments(name: str) -> Iterator[str]:
    from pipeline import contracts  # with pandas

    contract = contracts.contract_of(name)
    yield f"comment on table book.main.{name} is {_quoted(str(contract.__doc__))}"
    for column, sentence in contracts.described(contract).items():
        yield f'comment on column book.main.{name}."{column}" is {_quoted(sentence)}'


def made_from(root: Path = LEDGER) -> str:
    """Digest of the tables' files under `root` and of the views, from which a database is made; empty where a table is missing."""
    digest = hashlib.sha256(str(VIEWS).encode())
    try:
        for name, file in table_files(root).items():
            digest.update(f"{name} {hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    except OSError:
        return ""
    return digest.hexdigest()


def _write_views() -> None:
    for name, view in VIEWS.items():
        duckdb.sql(f"create view {name} as {statement(name)}")
        meanings = {
            column: view.columns.get(column) or getattr(columns, column).description
            for column in duckdb.table(name).columns
        }
        said = [f"comment on column {name}.{column} is {_quoted(meaning)}" for column, meaning in meanings.items()]
        duckdb.execute("; ".join([f"comment on view {name} is {_quoted(view.description)}", *said]))


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


@contextmanager
def reading(root: Path = LEDGER) -> Iterator[duckdb.DuckDBPyConnection]:
    """The published database, read-only.

    It is made again from data/tables where it is missing, unreadable or of other tables, if these are all of one run; where the folder
    is not writable, a temporary copy is opened. While a run is under way, or where it was killed, the database that it had published before
    is opened, with a remark. Raises DatabaseError where there is neither.
    """
    path = root / "data" / "published" / "ledger.duckdb"
    published = _open(path) if path.is_file() else None
    is_of_release = IS_RELEASE and root == LEDGER and published is not None  # its tables beside it are the same
    present = "" if is_of_release else made_from(root)
    why = None if is_of_release else _why_rebuild(path, published, present)
    with tempfile.TemporaryDirectory() as scratch:
        if why and present and freshness.are_of_one_run(root):
            if published:
                published.close()  # DuckDB would give the open database to whoever opens this path
            published = _open(_rebuilt(path, root, why, Path(scratch)))
        elif why and published:
            print(
                f"{_near(path)} is of the run before: data/tables {_lack(root)}; `make repro` makes all",
                file=sys.stderr,
            )
        elif why:
            raise DatabaseError(f"{_near(path)} {why}, and data/tables {_lack(root)}; `make repro` makes all")
        if published is None:
            raise DatabaseError(f"{_near(path)} cannot be read; `make repro` makes it again")
        with published:
            yield published


def _open(path: Path) -> duckdb.DuckDBPyConnection | None:
    try:
        return duckdb.connect(str(path), read_only=True, config=READING_ALONE)
    except duckdb.Error:
        return None


def table_files(root: Path = LEDGER) -> dict[str, Path]:
    """The parquet file of each table, by name: one for every contract."""
    names = sorted(path.stem for path in (ROOT / "schemas" / "tables").glob("*.py") if path.stem != "__init__")
    return {name: root / "data" / "tables" / f"{name}.parquet" for name in names}


def _why_rebuild(path: Path, published: duckdb.DuckDBPyConnection | None, present: str) -> str | None:
    if published is None:
        return "cannot be read" if path.exists() else "is missing"
    try:
        made = published.execute("select made_from()").fetchall()
    except duckdb.Error:  # of a former form
        made = []
    has_tables = present or any(file.is_file() for file in table_files(path.parents[2]).values())
    return "is not of the present tables" if has_tables and made != [(present,)] else None


def _lack(root: Path) -> str:
    missing = [file.name for file in table_files(root).values() if not file.is_file()]
    if not missing:
        return "is not of one whole run"
    return f"lacks {missing[0]}" + (f" and {len(missing) - 1} more" if len(missing) > 1 else "")


def _rebuilt(path: Path, root: Path, why: str, scratch: Path) -> Path:
    """Path of the rebuilt database: its place in data/published, or in the scratch folder where that is not writable."""
    files, present = table_files(root), made_from(root)
    tables = {name: duckdb.read_parquet(str(file)) for name, file in files.items()}
    try:
        replace_file(path, lambda beside: write(beside, tables, present))
        print(f"{_near(path)} {why}; made again from data/tables", file=sys.stderr)
        return path
    except (duckdb.Error, OSError):
        try:
            write(scratch / path.name, tables, present)
        except (duckdb.Error, OSError) as problem:
            raise DatabaseError(f"{_near(path)} cannot be made: {reason(problem)}; `make repro` makes it") from None
    print(f"{_near(path)} {why}; made for this once, as its folder cannot be written", file=sys.stderr)
    return scratch / path.name


def _near(path: Path) -> str:
    near = os.path.relpath(path)
    return str(path) if near.startswith("..") else near


def reason(problem: Exception) -> str:
    """The message of an error without the lines that point into the SQL, in one line."""
    return " ".join(str(problem).split("\n\nLINE ")[0].split())
