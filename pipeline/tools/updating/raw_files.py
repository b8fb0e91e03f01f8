"""Read raw files from watched sources, completely or not at all, and describe their origin."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from pipeline.base.download import DownloadError, Limits, download
from pipeline.base.paths import replace_file
from pipeline.catalogues.sheets import LARGEST_BYTES, CatalogueError, content_of, header_list, sheet_of
from schemas.records import WatchedSource

LIMITS = Limits(LARGEST_BYTES)
LEAST_SHARE = 0.9  # a table with less than this share of its previous number of rows was cut off, or is another table
CREDIT = "Epoch AI, 'Data on AI Models'. Published online at epoch.ai"


class Raw(NamedTuple):
    """A file's bytes, its rows by header, a note on its origin, and whether the bytes are new."""

    content: bytes
    rows: list[dict[str, str]]
    fetched: dict[str, Any]
    is_new: bool


def read(
    source: WatchedSource, before: bytes | None, file: Path | None, today: date, limits: Limits = LIMITS
) -> Raw | None:
    """Return a source's table from its address or `file`; None if the server reports no change. Raise CatalogueError.

    `before` is our snapshot, or None. If the source's snapshot is missing or differs from the record, the request is
    unconditional.
    """
    known = source.fetched
    is_same = known and (source.file is None or (before and _sha256(before) == known.sha256))
    # With the tag, the server answers only if the table has changed.
    tag = known.entity_tag if known and is_same else None
    content, tag, name = (
        (content_of(file), None, str(file)) if file else _address_content(str(source.address), tag, limits)
    )
    if content is None:
        return None
    sheet = sheet_of(content, name)
    if missing := [column for column in source.columns if column not in sheet.header]:
        raise CatalogueError(
            f"{name}:1 lacks the column {header_list(missing)}, which we use; was it renamed, or is this another table?"
        )
    rows = list(sheet.by_header())
    if not rows:
        raise CatalogueError(f"{name} has no row below its header")
    digest = _sha256(content)
    fetched = {"on": today.isoformat(), "sha256": digest, "bytes": len(content), "rows": len(rows)}
    kept = _sha256(before) if before is not None else known and known.sha256
    return Raw(content, rows, fetched | ({"entity_tag": tag} if tag else {}), digest != kept)


def refuse_shrunk(rows: int, before: int, name: str) -> None:
    """Raise CatalogueError if a table has far fewer rows than before."""
    if rows < LEAST_SHARE * before:
        raise CatalogueError(f"{name} has {rows:,} rows, but the snapshot has {before:,}; --force accepts it anyway")


def _address_content(address: str, tag: str | None, limits: Limits) -> tuple[bytes | None, str | None, str]:
    try:
        answer = download(address, limits, {"Accept": "text/csv"} | ({"If-None-Match": tag} if tag else {}))
    except DownloadError as problem:
        raise CatalogueError(str(problem)) from None
    return (answer.content, answer.headers.get("ETag"), address) if answer else (None, tag, address)


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def record_text(record: str, fetched: Mapping[str, Any]) -> str:
    """Return the text of a source's record with a new value of `fetched`, the note on the last reading.

    >>> record_text("name: a\\nfetched: {on: 2026-01-01}\\n", {"on": "2026-07-19", "entity_tag": 'W/"1"'})
    'name: a\\nfetched: {on: 2026-07-19, entity_tag: "W/\\\\"1\\\\""}\\n'
    """
    yaml_values = {key: json.dumps(value) if key == "entity_tag" else value for key, value in fetched.items()}
    line = f"fetched: {{{', '.join(f'{key}: {value}' for key, value in yaml_values.items())}}}\n"
    text, times = re.subn(r"^fetched: .*\n", lambda _: line, record, flags=re.MULTILINE)
    return text if times else record + line


def sidecar(source: WatchedSource, title: str, fetched: Mapping[str, Any]) -> str:
    """Return the text of the file next to a snapshot that describes its origin; CC BY requires most of it."""
    content = {
        "title": title,
        "citation": CREDIT,
        "licence": str(source.licence),
        "address": str(source.address),
        "fetched": date.fromisoformat(fetched["on"]),
        **{key: fetched.get(key) for key in ("found_at", "sha256", "bytes", "rows", "entity_tag")},
    }
    first = f"# Where {source.file} is from: the raw file, byte for byte.\n"
    return first + yaml.safe_dump(content, sort_keys=False, allow_unicode=True)


@contextmanager
def replace(files: Mapping[Path, bytes]) -> Iterator[None]:
    """Write the files one after another, each completely. If a write or the block fails, restore all. Raise OSError."""
    former = {path: path.read_bytes() if path.exists() else None for path in files}
    try:
        for path, content in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, content)
        yield
    except BaseException:
        restore(former)
        raise


def restore(former: Mapping[Path, bytes | None]) -> None:
    """Restore the former content of files, and delete files that did not exist before."""
    for path, content in former.items():
        if content is None:
            path.unlink(missing_ok=True)
        elif path.read_bytes() != content:
            replace_file(path, content)
