"""A cache of what YAML files of valid records say, addressed by the content of the files: parsing hundreds takes seconds.

Beside them stand the factors between the units that they use, for which pint would be imported and would parse.
It is JSON in the user's cache folder, outside the checkout, so that no clone brings one along; what it says is
validated like a file. It holds for one state of our code and of the parsing libraries: with another, every file is
parsed again. Only valid records are cached; checks against other records are made each time.
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

from pipeline.paths import PIPELINE, ROOT, SCHEMAS, replace_file
from pipeline.records import loading, yaml_text
from pipeline.records.checks.record import LoadedRecord
from pipeline.records.yaml_text import Mistake
from schemas import units
from schemas.records import KINDS

LARGEST_BYTES = 200_000_000
MOST_CHECKOUTS = 8  # whose caches are kept
WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
Contents = dict[str, Any]  # by kind, id and digest of the file, joined by /
Factors = dict[tuple[str, str], float | None]  # as `units.FACTORS`


@contextmanager
def cached_reader(root: Path = ROOT) -> Iterator[loading.Reader]:
    """A reader for `loading.load` that takes unchanged files from the cache, and adds those that it had to parse.

    The cache may be deleted at any time; where it cannot be written, or another user could have written it, every file
    is parsed.
    """
    path = _path(root)
    stored, factors = _stored(path)
    units.FACTORS.update(factors)
    records = _Cache(stored)
    try:
        yield records.read
    finally:
        if path is not None and (records.has_new or units.FACTORS.keys() - factors.keys()):
            _store(path, records.kept())


class _Cache:
    def __init__(self, stored: Contents) -> None:
        self.stored, self.used, self.has_new = stored, Contents(), False

    def read(self, path: Path) -> tuple[LoadedRecord, list[Mistake]]:
        content, unread = yaml_text.written_bytes(path, str(path))
        if content is None:
            return loading.read_from(path, None, unread)
        key = _key(path, content)
        if key in self.stored:
            kind, identifier, _ = key.split("/")
            with suppress(pydantic.ValidationError):
                record = KINDS[kind].model_validate(self.stored[key])
                self.used[key] = self.stored[key]
                return LoadedRecord(kind, identifier, record, None, str(path)), []
        loaded, mistakes = loading.read_from(path, content)
        if not mistakes and loaded.text is not None:
            parsed = loaded.text.content
            if json.loads(json.dumps(parsed)) == parsed:  # else, as with keys that are numbers, it is parsed each time
                self.used[key], self.has_new = parsed, True
        return loaded, mistakes

    def kept(self) -> Contents:
        """The contents that were used, those of other records, and of each record the last that was not used, such as that of another branch."""
        latest = {_record(key): key for key in self.stored if key not in self.used}
        return {key: self.stored[key] for key in latest.values()} | self.used


def _record(key: str) -> str:
    return key.rpartition("/")[0]


def _key(path: Path, content: bytes) -> str:
    return f"{loading.kind_of(path)}/{path.stem}/{hashlib.sha256(content).hexdigest()}"


def folder() -> Path | None:
    """Where this user's caches of the ledger are: below XDG_CACHE_HOME, else ~/.cache.

    None where there is no such place.
    """
    stated = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if stated.is_absolute():
        return stated / "flop-ledger"
    home = Path(os.environ.get("HOME", ""))
    return home / ".cache" / "flop-ledger" if home.is_absolute() and home.is_dir() else None


def _path(root: Path) -> Path | None:
    place = folder()
    checkout = root.resolve()
    # What lies in a checkout, git or an archive can have brought.
    if place is None or place.resolve().is_relative_to(checkout):
        return None
    return place / f"records-{hashlib.sha256(os.fsencode(checkout)).hexdigest()[:16]}.json"


def _is_own(found: os.stat_result) -> bool:
    return found.st_uid == os.geteuid() and not found.st_mode & WRITABLE_BY_OTHERS


@cache
def _code_digest() -> str:
    # What a valid file is depends on the code that parses it, including that which counts its layers.
    digest = hashlib.sha256(f"{sys.version} {pydantic.VERSION} {yaml.__version__}".encode())
    for code in (PIPELINE, SCHEMAS):
        found = (os.path.join(folder, file) for folder, _, files in os.walk(code) for file in files)
        for path in sorted(path for path in found if path.endswith((".py", ".yml"))):
            with open(path, "rb", buffering=0) as file:
                content = file.read()
            digest.update(f"{os.path.relpath(path, ROOT)} {len(content)} ".encode() + content)
    return digest.hexdigest()


def _stored(path: Path | None) -> tuple[Contents, Factors]:
    """The cached contents and factors of units.

    None where other code wrote them, another user may have, or the file is cut off.
    """
    if path is None:
        return {}, {}
    try:
        beside = os.lstat(path.parent)
        opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(opened, "rb") as file:
            found = os.fstat(opened)
            is_sound = stat.S_ISDIR(beside.st_mode) and stat.S_ISREG(found.st_mode) and found.st_size <= LARGEST_BYTES
            if not (is_sound and _is_own(beside) and _is_own(found)):
                return {}, {}
            said = json.loads(file.read(LARGEST_BYTES))
        if said["code"] != _code_digest() or not isinstance(said["contents"], dict):
            return {}, {}
        return Contents(said["contents"]), {
            (str(named), str(unit)): None if factor is None else float(factor)
            for named, unit, factor in said["factors"]
        }
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return {}, {}


def _store(path: Path, contents: Contents) -> None:
    factors = [[*named, factor] for named, factor in units.FACTORS.items()]
    said = json.dumps({"code": _code_digest(), "contents": contents, "factors": factors}).encode()

    def write(beside: Path) -> None:
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(said)

    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if _is_own(os.lstat(path.parent)):
            replace_file(path, write)
            by_age = sorted(path.parent.glob("records-*.json"), key=lambda each: each.lstat().st_mtime_ns)
            for old in by_age[:-MOST_CHECKOUTS]:
                old.unlink()
