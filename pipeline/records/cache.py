"""A cache of what YAML files of valid records say, addressed by the content of the files: parsing hundreds takes seconds.

Beside them stand the factors between the units that they use, for which pint would be imported and would parse.
It is JSON in the user's cache folder, outside the checkout, so that no clone brings one along; what it says is
validated like a file. A file of it holds for one state of our code and of the parsing libraries. Only valid records
are cached; checks against other records are made each time.
"""

import hashlib
import json
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import pydantic
import yaml

from pipeline.base.paths import PIPELINE, ROOT, SCHEMAS, replace_file
from pipeline.records import loading, yaml_text
from pipeline.records.checks.record import LoadedRecord
from pipeline.records.yaml_text import Mistake
from schemas import units
from schemas.records import KINDS

MOST_FILES = 8  # states of the code whose caches are kept
WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
Contents = dict[str, Any]  # digest of the file and what it says, by kind and id joined by /


@contextmanager
def cached_reader() -> Iterator[loading.Reader]:
    """A reader for `loading.load` that takes unchanged files from the cache, and adds those that it had to parse.

    The cache may be deleted at any time; where it cannot be written, or another user could have written it, every file
    is parsed.
    """
    path = _path()
    stored, parsed = _stored(path), Contents()
    known_factors = len(units.FACTORS)

    def read(file: Path) -> tuple[LoadedRecord, list[Mistake]]:
        content, unread = yaml_text.written_bytes(file, str(file))
        if content is None:
            return loading.read_from(file, None, unread)
        kind, digest = loading.kind_of(file), hashlib.sha256(content).hexdigest()
        key = f"{kind}/{file.stem}"
        if key in stored and stored[key][0] == digest:
            with suppress(pydantic.ValidationError):
                record = KINDS[kind].model_validate(stored[key][1])
                return LoadedRecord(kind, file.stem, record, None, str(file)), []
        loaded, mistakes = loading.read_from(file, content)
        if not mistakes and loaded.text is not None and "like" not in loaded.text.content:  # whose sibling may change
            said = loaded.text.content
            if json.loads(json.dumps(said)) == said:  # else, as with keys that are numbers, it is parsed each time
                parsed[key] = [digest, said]
        return loaded, mistakes

    try:
        yield read
    finally:
        if path is not None and (parsed or len(units.FACTORS) > known_factors):
            _store(path, stored | parsed)


def _path() -> Path | None:
    """The file of this state of the code, below XDG_CACHE_HOME, else ~/.cache; None where there is no such place outside the checkout."""
    stated, home = (Path(os.environ.get(name, "")) for name in ("XDG_CACHE_HOME", "HOME"))
    place = (stated if stated.is_absolute() else home / ".cache") / "flop-ledger"
    # What lies in a checkout, git or an archive can have brought.
    if not place.is_absolute() or place.resolve().is_relative_to(ROOT.resolve()):
        return None
    return place / f"records-{_code_digest()[:16]}.json"


def _is_ours(place: Path) -> bool:
    status = place.lstat()
    return (
        not stat.S_ISLNK(status.st_mode) and status.st_uid == os.geteuid() and not status.st_mode & WRITABLE_BY_OTHERS
    )


@cache
def _code_digest() -> str:
    # What a valid file is depends on the code that parses it, including that which counts its layers.
    digest = hashlib.sha256(f"{sys.version} {pydantic.VERSION} {yaml.__version__}".encode())
    for code in (PIPELINE, SCHEMAS):
        for path in sorted(path for path in code.rglob("*") if path.suffix in (".py", ".yml")):
            content = path.read_bytes()
            digest.update(f"{path.relative_to(ROOT)} {len(content)} ".encode() + content)
    return digest.hexdigest()


def _stored(path: Path | None) -> Contents:
    """The cached contents; factors of units go where they are looked up. Empty where the file is absent, cut off or another user's."""
    try:
        if path is None or not (_is_ours(path.parent) and _is_ours(path)):
            return {}
        stored = json.loads(path.read_bytes())
        units.FACTORS.update({(named, unit): factor for named, unit, factor in stored["factors"]})
        return Contents(stored["contents"])
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return {}


def _store(path: Path, contents: Contents) -> None:
    factors = [[*named, factor] for named, factor in units.FACTORS.items()]

    def write(beside: Path) -> None:
        beside.touch(0o600)
        beside.write_text(json.dumps({"contents": contents, "factors": factors}))

    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if _is_ours(path.parent):
            replace_file(path, write)
            for old in sorted(path.parent.glob("records-*.json"), key=lambda file: file.lstat().st_mtime_ns)[
                :-MOST_FILES
            ]:
                old.unlink()
