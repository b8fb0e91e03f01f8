"""A release as it was published: a checkout, folder, file or revision of git, with its records or facts."""

import csv
import io
import re
import subprocess
import tarfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from pipeline.paths import ROOT
from pipeline.publishing import database
from pipeline.publishing.csv_cells import cell, unescaped
from pipeline.publishing.rows import rows

HERE = Path("data/published")
KEYS = {"estimates": ("model_id",), "utilization": ("network", "precision", "generation")}
IN_DATABASE = {"estimates": "estimates", "utilization": "utilization_cells"}


class ReleaseError(Exception):
    """A release that cannot be read, in one line."""


class Release(NamedTuple):
    """Published values, as text by table and key, and the inputs that they were made from, where available."""

    name: str
    tables: dict[str, dict[str, dict[str, str]]]
    records: dict[str, str] | None = None  # YAML, by folder and id
    facts: dict[str, dict[str, str]] | None = None  # by folder and id, then by path; from a database
    bases: Mapping[str, str] = {}  # base model by fine-tuned model
    params: str | None = None


def read(what: str, root: Path = ROOT) -> Release:
    """The release by its place: a checkout, a folder or file of published values, or a revision of git.

    Raises ReleaseError.
    """
    path = Path(what)
    if not path.exists():
        return _revision(what, root)
    if path.is_file():
        return _checked(_file(path, what))
    return _checked(_checkout(path, what) if (path / HERE).is_dir() else _folder(path, what))


def here(root: Path = ROOT) -> Release:
    """What is published in this checkout now."""
    return _checked(_checkout(root, str(HERE)))


def _checked(release: Release) -> Release:
    if "estimates" not in release.tables:
        raise ReleaseError(f"{release.name} holds no estimates: neither estimates.csv, .parquet nor ledger.duckdb")
    return release


def _checkout(folder: Path, name: str) -> Release:
    texts = {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8", errors="replace")
        for pattern in (f"{HERE}/*.csv", "data/records/*/*.yaml", "params.yaml")
        for path in sorted(folder.glob(pattern))
    }
    return _from_texts(texts, name)._replace(facts=_folder(folder / HERE, name).facts)


def _from_texts(texts: Mapping[str, str], name: str) -> Release:
    tables = {
        table: as_published(csv.DictReader(io.StringIO(texts[path], newline="")), table, name)
        for table in KEYS
        if (path := f"{HERE}/{table}.csv") in texts
    }
    records = {
        path.removeprefix("data/records/").removesuffix(".yaml"): text
        for path, text in texts.items()
        if path.startswith("data/records/") and path.endswith(".yaml")
    }
    found = {key: re.search(r"^base_model: *([\w-]+)", text, re.MULTILINE) for key, text in records.items()}
    bases = {key.removeprefix("models/"): base[1] for key, base in found.items() if base and key.startswith("models/")}
    return Release(name, tables, records or None, bases=bases, params=texts.get("params.yaml"))


def _folder(folder: Path, name: str) -> Release:
    ending = next((each for each in ("csv", "parquet") if (folder / f"estimates.{each}").is_file()), None)
    book = folder / "ledger.duckdb"
    if ending is None:
        return _database(book, name) if book.is_file() else Release(name, {})
    files = [path for table in KEYS if (path := folder / f"{table}.{ending}").is_file()]
    tables = {path.stem: _rows(path, path.stem, name) for path in files}
    try:
        return _database(book, name)._replace(tables=tables) if book.is_file() else Release(name, tables)
    except ReleaseError:  # it is being written, or by a later DuckDB; the CSV files have the values too
        return Release(name, tables)


def _file(path: Path, name: str) -> Release:
    is_table = path.suffix in (".csv", ".parquet")
    return Release(name, {"estimates": _rows(path, "estimates", name)}) if is_table else _database(path, name)


def _database(path: Path, name: str) -> Release:
    if path.with_suffix(".sha256").exists() and not database.is_vouched(path):
        raise ReleaseError(f"{name} is not as it was published, by {path.stem}.sha256 beside it")
    try:
        with duckdb.connect(str(path), read_only=True, config=database.READING_ALONE) as book:
            known = {table for (table,) in book.execute("select table_name from duckdb_tables()").fetchall()}
            tables = {
                table: as_published(rows(book, f"from {stored}"), table, name)
                for table, stored in IN_DATABASE.items()
                if stored in known
            }
            facts, bases = {}, {}
            if {"facts", "models"} <= known:
                facts = by_record(rows(book, "select record_kind, record_id, path, written from facts"))
                sql = "select model_id, base_model from models where base_model is not null"
                bases = dict(book.execute(sql).fetchall())
    except duckdb.Error as problem:
        raise ReleaseError(f"{name} cannot be read: {str(problem).splitlines()[0]}") from None
    return Release(name, tables, facts=facts or None, bases=bases)


def by_record(facts: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, str]]:
    """What facts say, by folder and id of their record, then by path."""
    written: dict[str, dict[str, str]] = {}
    for row in facts:
        written.setdefault(f"{row['record_kind']}/{row['record_id']}", {})[row["path"]] = row["written"]
    return written


def _rows(path: Path, table: str, name: str) -> dict[str, dict[str, str]]:
    if path.suffix == ".csv":
        with path.open(encoding="utf-8", errors="replace", newline="") as file:
            return as_published(csv.DictReader(file), table, name)
    try:
        return as_published(rows(duckdb.connect(), "from read_parquet($1)", str(path)), table, name)
    except duckdb.Error as problem:
        raise ReleaseError(f"{name} cannot be read: {str(problem).splitlines()[0]}") from None


def as_published(rows: Iterable[Mapping[str, Any]], what: str, name: str) -> dict[str, dict[str, str]]:
    """Rows of a published table as text, by key, as its CSV has them; `name` is that of their release.

    Raises ReleaseError.
    """
    found = [{column: _shown(value) for column, value in row.items() if column} for row in rows]
    if found and not set(KEYS[what]) <= set(found[0]):
        raise ReleaseError(f"{name} holds no {what}: there is no column {KEYS[what][0]}")
    return {" ".join(row[key] for key in KEYS[what]): row for row in found}


def _shown(value: Any) -> str:
    """A value as the published CSV has it, without the apostrophe that keeps a spreadsheet from running text."""
    return unescaped(cell(value))


def _revision(what: str, root: Path) -> Release:
    found = git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{what}^{{commit}}")
    if found is None:
        is_shallow = (git(root, "rev-parse", "--is-shallow-repository") or b"").strip() == b"true"
        why = "; this clone is shallow: `git fetch --unshallow` brings older ones" if is_shallow else ""
        if git(root, "rev-parse", "HEAD") is None:
            why = f"; there is no git history in {root}: name a folder or file"
        raise ReleaseError(f"{what!r} is neither a folder or file with published values nor a revision of git{why}")
    revision = found.decode().strip()
    there = git(root, "ls-tree", "--name-only", revision, "data/published", "data/records", "params.yaml") or b""
    archive = git(root, "archive", "--format=tar", revision, *there.decode().split()) if there else None
    texts: dict[str, str] = {}
    if archive:
        with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
            for member in tar:
                if member.isfile() and member.name.endswith((".csv", ".yaml")):
                    texts[member.name] = tar.extractfile(member).read().decode("utf-8", "replace")  # type: ignore[union-attr]
    return _checked(_from_texts(texts, what))


def git(root: Path, *words: Any) -> bytes | None:
    """Standard output of git; None where it fails, is not installed or has no history here."""
    try:
        done = subprocess.run(["git", "-C", root, *words], capture_output=True, check=False)
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None
