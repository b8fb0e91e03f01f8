"""Whether this machine and this checkout can do what the verbs need: versions, extras, records, tables."""

import platform
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from pipeline.database import ROOT, table_files

NEEDED = ("duckdb", "dvc", "great-expectations", "narwhals", "pandas", "pandera", "pint", "pyarrow", "pydantic", "pyyaml", "rich", "typer")  # fmt: skip
EXTRAS = {  # import name: what needs it
    "torch": "measure, make audit",
    "cupy": "measure, for one of its counters",
    "transformers": "make audit",
    "fvcore": "make audit",
    "deepspeed": "make audit",
    "frictionless": "make test",
}
QUICK_SECONDS = 30


class Finding(NamedTuple):
    """One thing that was looked at; `state` is ok, absent (and not needed) or problem."""

    what: str
    state: str
    said: str


def examine(root: Path = ROOT) -> Iterator[Finding]:
    """Looks at everything, quickest first."""
    is_right = sys.version_info >= (3, 11)
    yield Finding("python", "ok" if is_right else "problem", f"{platform.python_version()}, {platform.system()}")
    yield _commit(root)
    yield from map(_package, NEEDED)
    for name, needed_by in EXTRAS.items():
        is_there = find_spec(name) is not None
        yield Finding(
            name, "ok" if is_there else "absent", f"{'installed' if is_there else 'optional'}; for {needed_by}"
        )
    yield _tables(root)
    yield from _published(root)
    yield _records(root)


def _commit(root: Path) -> Finding:
    try:
        words = ("git", "-C", str(root), "describe", "--always", "--dirty")
        done = subprocess.run(words, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return Finding("commit", "absent", "not a git checkout")
    return Finding("commit", "ok", done.stdout.strip())


def _package(name: str) -> Finding:
    try:
        return Finding(name, "ok", metadata.version(name))
    except metadata.PackageNotFoundError:
        return Finding(name, "problem", "is missing; `make install` installs it")


def _tables(root: Path) -> Finding:
    files = table_files(root)
    missing = [name for name, path in files.items() if not path.is_file()]
    if missing:
        return Finding("data/tables", "problem", f"lacks {', '.join(missing[:3])}{' …' if missing[3:] else ''}; `make repro` makes them")  # fmt: skip
    oldest = min(path.stat().st_mtime for path in files.values())
    newer = [path for path in _inputs(root) if path.stat().st_mtime > oldest]
    if newer:
        return Finding("data/tables", "ok", f"{len(files)} tables; {newer[0].relative_to(root)} is newer: `make repro` says whether that matters")  # fmt: skip
    return Finding("data/tables", "ok", f"{len(files)} tables, newer than records and params.yaml")


def _inputs(root: Path) -> Iterator[Path]:
    yield from sorted((root / "data" / "records").rglob("*.yaml"))
    yield from (path for path in [root / "params.yaml"] if path.is_file())


def _published(root: Path) -> Iterator[Finding]:
    folder = root / "data" / "published"
    newest = max((path.stat().st_mtime for path in table_files(root).values() if path.is_file()), default=0)
    for name in ("estimates.csv", "estimates.parquet", "ledger.duckdb"):
        path = folder / name
        if not path.is_file():
            what = (
                "; query makes it again from data/tables"
                if name == "ledger.duckdb" and newest
                else "; `make repro` makes it"
            )
            yield Finding(f"data/published/{name}", "absent" if "query" in what else "problem", f"is missing{what}")
        else:
            is_old = name == "ledger.duckdb" and path.stat().st_mtime < newest
            said = (
                "is older than its tables; the next query makes it again"
                if is_old
                else f"{path.stat().st_size:,} bytes"
            )
            yield Finding(f"data/published/{name}", "ok", said)


def _records(root: Path) -> Finding:
    from pipeline import flow
    from pipeline.records import RecordError

    start = time.perf_counter()
    try:
        loaded = flow.load_records(root)
    except (RecordError, OSError) as problem:
        first = str(problem).splitlines()[0]
        return Finding("data/records", "problem", f"{first} (`flopledger validate data/records` lists all)")
    seconds = time.perf_counter() - start
    said = f"{sum(1 for _ in loaded.each())} records, no problems, read in {seconds:.1f} s"
    return Finding("data/records", "ok", said + ("; that is slow" if seconds > QUICK_SECONDS else ""))
