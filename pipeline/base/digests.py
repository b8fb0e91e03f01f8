"""Store digests of the files that `ingest` reads, next to its tables, so that later stages notice changed files."""

import hashlib
import os
from collections.abc import Iterable
from glob import glob
from pathlib import Path

from pipeline.base import untrusted_files
from schemas.errors import ContractError

DATA = tuple(f"data/{folder}/**" for folder in untrusted_files.READ)
READ = "read.sha256"  # in the format of `sha256sum --check`
MOST_NAMED = 3


def sha256_of_files(root: Path, patterns: Iterable[str] = DATA) -> dict[str, str]:
    """Return the SHA-256 of files that match these patterns, by path. Unlike times and sizes, none can be forged."""
    places = sorted({place for pattern in patterns for place in glob(pattern, root_dir=root, recursive=True)})
    return {
        place: _sha256(f"{root}/{place}")
        for place in places
        if os.path.isfile(f"{root}/{place}") and not untrusted_files.UNFINISHED.fullmatch(place)
    }


def _sha256(file: str) -> str:
    with open(file, "rb", buffering=0) as opened:
        return hashlib.sha256(opened.read()).hexdigest()


def write(folder: Path, read: dict[str, str]) -> None:
    """Write the digests of these files next to the tables that were made from them."""
    (folder / READ).write_text("".join(f"{digest}  {place}\n" for place, digest in read.items()), encoding="utf-8")


def refuse_changed(root: Path, read: dict[str, str] | None = None) -> None:
    """Raise ContractError if a file differs from its digest in `read`, by default the digests that `ingest` wrote."""
    if read is None:
        lines = (root / "data/tables/ingest" / READ).read_text(encoding="utf-8").splitlines()
        read = {place: digest for digest, place in (line.split("  ", 1) for line in lines)}
    # The symmetric difference contains changed, added and removed files.
    changed = sorted({place for place, _ in read.items() ^ sha256_of_files(root).items()})[:MOST_NAMED]
    if changed:
        raise ContractError(
            "\n".join(f"{place}: changed since it was read; `make repro` reads it again" for place in changed)
        )
