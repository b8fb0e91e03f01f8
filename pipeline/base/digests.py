"""Digests of files, in the format of `sha256sum --check`.

Those of the files that `ingest` reads are next to its tables, so that later stages notice changed files.
"""

import hashlib
import os
from collections.abc import Iterable, Mapping
from glob import glob
from pathlib import Path

from pipeline.base import untrusted_files
from schemas.errors import ContractError

DATA = tuple(f"data/{folder}/**" for folder in untrusted_files.READ)
READ = "read.sha256"
MOST_NAMED = 3


def sha256_of_files(root: Path, patterns: Iterable[str] = DATA) -> dict[str, str]:
    """Return the SHA-256 of files that match these patterns, by path. Unlike times and sizes, none can be forged."""
    places = sorted({place for pattern in patterns for place in glob(pattern, root_dir=root, recursive=True)})
    return {
        place: sha256(f"{root}/{place}")
        for place in places
        if os.path.isfile(f"{root}/{place}") and not untrusted_files.UNFINISHED.fullmatch(place)
    }


def sha256(file: str | Path) -> str:
    """Return the SHA-256 of a file. Raise OSError if it cannot be read."""
    with open(file, "rb", buffering=0) as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def sums(read: Mapping[str, str]) -> str:
    """Return a line for each file and its digest."""
    return "".join(f"{digest}  {place}\n" for place, digest in read.items())


def read_sums(path: Path) -> dict[str, str]:
    """Return the digest of each file in such lines."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return {place: digest for digest, place in (line.split("  ", 1) for line in lines)}


def write(folder: Path, read: Mapping[str, str]) -> None:
    """Write the digests of these files next to the tables that were made from them."""
    (folder / READ).write_text(sums(read), encoding="utf-8")


def refuse_changed(root: Path, read: dict[str, str] | None = None) -> None:
    """Raise ContractError if a file differs from its digest in `read`, by default the digests that `ingest` wrote."""
    if read is None:
        read = read_sums(root / "data/tables/ingest" / READ)
    # The symmetric difference contains changed, added and removed files.
    changed = sorted({place for place, _ in read.items() ^ sha256_of_files(root).items()})[:MOST_NAMED]
    if changed:
        raise ContractError(
            "\n".join(f"{place}: changed since it was read; `make repro` reads it again" for place in changed)
        )
