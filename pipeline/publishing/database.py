"""Write and open ledger.duckdb, which has every table and view, with comments. It is always opened read-only.

The tables and views for users are in the schema main, all others in `work`; our own connections search both.

The table `made_from` contains the digest of every input. Unlike file times, digests show whether the database is up to
date. The digest of the database's own bytes is in a file next to it, and every reader checks that digest.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import duckdb

from pipeline.base.digests import sha256, sums
from pipeline.base.paths import IS_RELEASE, LEDGER
from pipeline.models.sql import literal

SEARCHED = "set search_path = 'main,work'"
STORAGE = "v1.0.0"  # readable by every DuckDB since 1.0
# Settings for read-only use: no files, network, extensions, spilling to disk or Python variables as tables, and no way
# to change these settings.
READING_ALONE = {
    "enable_external_access": "false",
    "python_enable_replacements": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "temp_directory": "",
    "memory_limit": "2GB",
    "lock_configuration": "true",
}
MACHINE = (duckdb.IOException, duckdb.FatalException)  # machine problems, such as a full disk


class DatabaseError(Exception):
    """Raised if the database is not available. The message is one line and names the remedy."""


def write(path: Path, tables: Mapping[str, Any], made_from: Mapping[str, str]) -> None:
    """Write relations of DuckDB's default connection as tables, with views, comments and digests of inputs and file."""
    from pipeline.publishing.views import schema  # slow imports, which readers do not need
    from schemas.tables import TABLES, columns_of

    before = duckdb.sql("select current_catalog()").fetchall()[0][0]
    duckdb.sql(f"attach {literal(str(path))} as book (storage_version '{STORAGE}')")
    try:
        duckdb.sql("begin")  # one transaction, because otherwise each of hundreds of statements would write to the file
        duckdb.sql("create schema book.work")
        for name, table in sorted(tables.items()):
            place = f"book.{schema(name)}.{name}"
            table.create(place)
            columns = {column: meaning.description for column, meaning in columns_of(name).items()}
            _comment("table", place, TABLES[name].row, columns)
        duckdb.sql("use book")  # a view looks up its tables in its own database
        _write_views()
        duckdb.sql("use book.work")
        digests = {"files": [*made_from], "digests": [*made_from.values()]}
        duckdb.execute("create table made_from as select unnest($files) as file, unnest($digests) as sha256", digests)
        meanings = {"file": "Path in the checkout.", "sha256": "SHA-256 of the file."}
        _comment("table", "made_from", "Records, parameters and code from which this ledger was made.", meanings)
        duckdb.sql("commit")
    except BaseException:
        for statement in ("rollback", f"use {before}", "detach book"):
            with suppress(duckdb.Error):  # if the disk is full, DuckDB has already ended the transaction
                duckdb.sql(statement)
        raise
    duckdb.sql(f"use {before}")
    duckdb.sql("detach book")
    vouch(path)


def vouch(path: Path) -> None:
    """Write the digest of the database's bytes next to it, in the format of `sha256sum --check`."""
    path.with_suffix(".sha256").write_text(sums({path.name: sha256(path)}), encoding="utf-8")


def is_vouched(path: Path) -> bool:
    """Return whether the database is unchanged since it was published. A .wal file, which DuckDB reads, is a change."""
    digest = path.with_suffix(".sha256")
    if path.with_name(f"{path.name}.wal").exists() or not (path.is_file() and digest.is_file()):
        return False
    return digest.read_bytes() == sums({path.name: sha256(path)}).encode()


def _write_views() -> None:
    """Create the views, with comments, in the current database of DuckDB's default connection.

    A column that the view does not describe gets the description of the column with that name in the tables.
    """
    from pipeline.publishing.views import VIEWS, schema, statement
    from schemas.columns import COLUMNS

    for name, view in VIEWS.items():
        place = f"{schema(name)}.{name}"
        duckdb.sql(f"create view {place} as {statement(name)}")
        columns = {
            column: view.columns.get(column) or COLUMNS[column].description for column in duckdb.table(place).columns
        }
        _comment("view", place, view.description, columns)


def _comment(kind: str, place: str, description: str, columns: Mapping[str, str]) -> None:
    """Comment on a table or view and on its columns."""
    comments = [f'comment on column {place}."{column}" is {literal(text)}' for column, text in columns.items()]
    duckdb.execute("; ".join([f"comment on {kind} {place} is {literal(description)}", *comments]))


@contextmanager
def reading(root: Path = LEDGER) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open the published database read-only. Raise DatabaseError if it is missing, unreadable or changed since."""
    with _path(root) as path:
        published = duckdb.connect(str(path), read_only=True, config=READING_ALONE)
        published.execute(SEARCHED)
    with published:
        yield published


def memory_connection(root: Path = LEDGER) -> duckdb.DuckDBPyConnection:
    """Return an in-memory connection for temporary tables, with the published database attached read-only as `ledger`.

    It has one thread and neither reorders joins nor reads statistics, because for one model's rows these optimizations
    cost more than they save. Raise DatabaseError for the same reasons as `reading`.
    """
    connection = duckdb.connect(config={"threads": 1, "python_enable_replacements": "false"})
    with _path(root) as path:
        connection.execute(f"attach {literal(str(path))} as ledger (read_only)")
    return connection.execute(
        "set search_path = 'ledger.main,ledger.work'; set disabled_optimizers = 'join_order,statistics_propagation';"
        " set enable_external_access = false; set lock_configuration = true"
    )


@contextmanager
def _path(root: Path) -> Iterator[Path]:
    """Yield the path of the published database. Raise DatabaseError if it is missing or changed, or reading fails."""
    path = root / "data" / "published" / "ledger.duckdb"
    problem = "is missing" if not path.exists() else "is not as it was published" if not is_vouched(path) else ""
    try:
        if not problem:
            yield path
    except duckdb.Error:
        problem = "cannot be read"
    if problem:
        remedy = "install the package again" if IS_RELEASE else "`make repro` makes it"
        relative = os.path.relpath(path)
        raise DatabaseError(f"{path if relative.startswith('..') else relative} {problem}; {remedy}")
