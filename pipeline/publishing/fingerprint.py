"""What a ledger was made from: one fingerprint of all inputs, which says whether it is of the present records, parameters and code."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import duckdb

from pipeline.paths import IS_RELEASE, LEDGER

INPUTS = ("data/records", "data/snapshots", "data/releases", "params.yaml", "uv.lock", "pipeline", "schemas")
SUFFIXES = {".yaml", ".yml", ".csv", ".sql", ".py", ".json", ".lock"}
NUMBERLESS = (
    "pipeline/commands",
    "pipeline/drafting",
    "pipeline/measure",
    "pipeline/packaging",
    "pipeline/site",
    "schemas/editor",
)


def of(root: Path = LEDGER) -> str:
    """SHA-256 of every file that a number of the ledger may depend on, with its place; by content, as times and sizes can be forged."""
    digest = hashlib.sha256()
    for file in sorted(_files(root)):
        place, content = file.relative_to(root).as_posix(), file.read_bytes()
        digest.update(f"{place} {len(content)} ".encode() + content)
    return digest.hexdigest()


def _files(root: Path) -> Iterator[Path]:
    for name in INPUTS:
        path = root / name
        for file in path.rglob("*") if path.is_dir() else [path]:
            is_numberless = any(file.is_relative_to(root / folder) for folder in NUMBERLESS)
            if file.suffix in SUFFIXES and file.is_file() and not is_numberless:
                yield file


def is_present(root: Path = LEDGER) -> bool:
    """Whether the published ledger is of the present inputs; a release has no others."""
    if IS_RELEASE and root == LEDGER:
        return True
    return of_ledger(root / "data" / "published" / "ledger.duckdb") == of(root)


def of_ledger(path: Path) -> str | None:
    """The fingerprint that a ledger's file holds; None where it cannot be read."""
    try:
        with duckdb.connect(str(path), read_only=True) as connection:
            ((fingerprint,),) = connection.execute("select fingerprint from made_from").fetchall()
    except (duckdb.Error, OSError, ValueError):
        return None
    return str(fingerprint)
