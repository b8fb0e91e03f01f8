"""Check whether files are unchanged, by comparing them with lists of digests that are kept in other files."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import yaml

from pipeline.base.paths import LEDGER, SUMS
from pipeline.publishing import database

Digests = dict[str, str]  # digest by path in the checkout
PUBLISHED, SNAPSHOTS, LOCK = "data/published", "data/snapshots", "dvc.lock"
PACKAGE = f"{PUBLISHED}/datapackage.json"
UNREADABLE = (OSError, ValueError, LookupError, TypeError, AttributeError, yaml.YAMLError)


class Verified(NamedTuple):
    """The result: one line per list that was compared, and one per changed, missing or unlisted file or unreadable list."""

    lists: list[str]
    mistakes: list[str]


def _of_sums(text: str) -> Digests:
    return {f"{PUBLISHED}/{name}": digest for digest, name in (line.split("  ", 1) for line in text.splitlines())}


def _of_package(text: str) -> Digests:
    return {
        f"{PUBLISHED}/{resource['path']}": resource["hash"].partition(":")[2]
        for resource in json.loads(text)["resources"]
    }


def _of_lock(text: str) -> Digests:
    stages = yaml.load(text, Loader=yaml.CSafeLoader)["stages"].values()
    entries = [entry for stage in stages for entry in (*stage["deps"], *stage["outs"])]
    stage_outputs = ("data/tables/", f"{PUBLISHED}/")  # records and code may have changed since then
    return {entry["path"]: entry["md5"] for entry in entries if entry["path"].startswith(stage_outputs)}


LISTS: dict[str, Callable[[str], Digests]] = {
    f"{PUBLISHED}/{SUMS}": _of_sums,
    f"{PUBLISHED}/ledger.sha256": _of_sums,
    PACKAGE: _of_package,
    LOCK: _of_lock,  # does not exist in an installed package
}


def origins(root: Path = LEDGER) -> dict[str, str]:
    """Return the snapshot of each table by the file that states the snapshot's origin; either file may be missing."""
    names = {path.name.partition(".")[0] for path in (root / SNAPSHOTS).glob("epoch_*")}
    return {f"{SNAPSHOTS}/{name}.origin.yaml": f"{SNAPSHOTS}/{name}.csv" for name in sorted(names)}


def verified(root: Path = LEDGER, names: Iterable[str] = ()) -> Verified:
    """Compare every file with every list that includes it, or only with the lists called `names` if there are any."""
    lists, differing, mistakes = [], dict[str, list[str]](), []
    listed, snapshots = {f"{PUBLISHED}/{SUMS}", f"{PUBLISHED}/ledger.sha256"}, origins(root)
    for name in names or (*LISTS, *snapshots):
        if name == LOCK and not (root / LOCK).exists():
            continue
        digests = _digests_in(root, name, snapshots)
        if not digests:  # an empty list would prove nothing
            mistakes.append(f"{name} is missing or cannot be read")
            continue
        if name == PACKAGE:  # an installed package lacks these CSV files; SHA256SUMS covers those that it needs
            digests = {place: digest for place, digest in digests.items() if (root / place).exists()}
        lists += [f"{name}: {len(digests)} compared"] if digests else []
        listed |= digests.keys()
        for place, digest in digests.items():
            if not _has_digest(root / place, digest):
                differing.setdefault(place, []).append(name)
    for place, lists_with_other_digest in differing.items():
        what = f"differs from {' and '.join(lists_with_other_digest)}" if (root / place).exists() else "is missing"
        mistakes.append(f"{place} {what}")
    if not names:
        published = {path.relative_to(root).as_posix() for path in (root / PUBLISHED).rglob("*") if not path.is_dir()}
        mistakes += [f"{place} is in no list of digests" for place in sorted(published - listed)]
    return Verified(lists, mistakes)


def _digests_in(root: Path, name: str, snapshots: Mapping[str, str]) -> Digests:
    """Return the digests in a list or in a snapshot's file of origin; none if this file cannot be read."""
    try:
        text = (root / name).read_text(encoding="utf-8")
        if name in LISTS:
            return LISTS[name](text)
        return {snapshots[name]: yaml.load(text, Loader=yaml.CSafeLoader)["sha256"]}
    except UNREADABLE:
        return {}


def _has_digest(path: Path, digest: str) -> bool:
    """Return whether a file or folder has a SHA-256 or MD5 digest; a database is compared with its own digest file."""
    if path.suffix == ".duckdb":
        return database.is_vouched(path)
    if path.is_dir():  # DVC's digest of a folder
        files = sorted(file for file in path.rglob("*") if file.is_file())
        listed = [{"md5": _md5(file.read_bytes()), "relpath": file.relative_to(path).as_posix()} for file in files]
        return digest == f"{_md5(json.dumps(listed).encode())}.dir"
    if not path.is_file():
        return False
    content = path.read_bytes()
    return digest in (hashlib.sha256(content).hexdigest(), _md5(content))


def _md5(content: bytes) -> str:
    return hashlib.md5(content, usedforsecurity=False).hexdigest()
