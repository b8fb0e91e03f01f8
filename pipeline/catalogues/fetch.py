"""Downloads Epoch's table of notable models into data/snapshots: whole or not at all, with an origin sidecar beside it."""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from pipeline.catalogues.cells import LARGEST_BYTES, CatalogueError, sheet_of
from pipeline.catalogues.columns import Row, rows_of
from pipeline.download import DownloadError, Limits, download
from pipeline.paths import replace_file

EPOCH_URL = "https://epoch.ai/data/notable_ai_models.csv"
PRODUCER = "Epoch AI"
CITATION = "Epoch AI, 'Data on AI Models'. Published online at epoch.ai"
LICENCE = "CC-BY-4.0"
LIMITS = Limits(LARGEST_BYTES)
LEAST_SHARE = 0.9  # of the rows before: a table with fewer was cut off, or is another


class Changes(NamedTuple):
    """Names of rows that a new snapshot has and the old had not, that it has no more, and of which a cell that is read says something else."""

    appeared: list[str]
    vanished: list[str]
    moved: list[str]


class Fetched(NamedTuple):
    """The path of the snapshot, whether its content is new, its number of rows, and what changed; None without an old snapshot."""

    path: Path
    is_new: bool
    rows: int
    changes: Changes | None = None


def fetch(url: str, path: Path, limits: Limits = LIMITS, *, may_shrink: bool = False) -> Fetched:
    """Downloads the table at `url` to `path` where it has changed. Raises CatalogueError.

    The old snapshot stays until the new one is complete, can be read as Epoch's table and is on disk. One with many rows less than the
    old is refused, unless it `may_shrink`.
    """
    origin = path.with_name(f"{path.name}.origin.json")
    before = _origin(path, origin)
    known = before if before.get("url") == url else {}
    asked = {"Accept": "text/csv"}
    asked |= {"If-None-Match": known["etag"]} if known.get("etag") else {}
    asked |= {"If-Modified-Since": known["last_modified"]} if known.get("last_modified") else {}
    try:
        found = download(url, limits, asked)
    except DownloadError as problem:
        raise CatalogueError(f"{problem}; the snapshot stays as it was") from None
    if found is None:
        return Fetched(path, False, int(before["rows"]))
    content, headers, _ = found
    rows = rows_of(sheet_of(content, url), url)
    number = len(rows.rows) + len(rows.bad)
    if not rows.rows:
        raise CatalogueError(f"{url} has no sound row; the snapshot stays as it was")
    old = _rows(path)
    if old and len(rows.rows) < LEAST_SHARE * len(old) and not may_shrink:
        raise CatalogueError(
            f"{url} has {len(rows.rows):,} sound rows where the snapshot has {len(old):,}; the snapshot stays as it was (--force replaces it)"
        )
    checksum = hashlib.sha256(content).hexdigest()
    said = {
        "producer": PRODUCER,
        "citation": CITATION,
        "licence": LICENCE,
        "url": url,
        "fetched": datetime.now(UTC).isoformat(timespec="seconds"),
        "sha256": checksum,
        "bytes": len(content),
        "rows": number,
        "etag": headers.get("ETag"),
        "last_modified": headers.get("Last-Modified"),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    # The sidecar is written last: after a crash its checksum does not match, and the snapshot is downloaded again.
    _replace(path, content)
    _replace(origin, (json.dumps(said, indent=2) + "\n").encode())
    return Fetched(path, checksum != before.get("sha256"), number, old and changes(old, _by_name(rows.rows)))


def changes(before: Mapping[str, Row], after: Mapping[str, Row]) -> Changes:
    """What changed between the rows of two snapshots, by name."""
    return Changes(
        sorted(after.keys() - before.keys()),
        sorted(before.keys() - after.keys()),
        sorted(name for name in before.keys() & after.keys() if before[name].cells != after[name].cells),
    )


def _by_name(rows: Iterable[Row]) -> dict[str, Row]:
    return {row.name: row for row in rows}


def _rows(path: Path) -> dict[str, Row] | None:
    try:
        return _by_name(rows_of(sheet_of(path.read_bytes(), str(path)), str(path)).rows)
    except (OSError, CatalogueError):
        return None


def _origin(path: Path, origin: Path) -> dict[str, Any]:
    """The sidecar of a snapshot whose checksum matches it; empty otherwise."""
    try:
        said = json.loads(origin.read_text())
        is_whole = hashlib.sha256(path.read_bytes()).hexdigest() == said["sha256"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return dict(said) if is_whole and isinstance(said.get("rows"), int) else {}


def _replace(path: Path, content: bytes) -> None:
    def write(beside: Path) -> None:
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())

    replace_file(path, write)
