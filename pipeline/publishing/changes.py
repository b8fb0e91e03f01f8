"""Compare two releases: which published values changed, and which facts behind these values changed (changes.sql).

`python -m pipeline.publishing.changes` copies the current published files to data/releases, as a step of each release.
"""

import io
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb

from pipeline.base.digests import sha256, sums
from pipeline.base.paths import LEDGER, ROOT, SUMS
from pipeline.publishing.rows import rows

SQL = Path(__file__).with_suffix(".sql")
PUBLISHED, KEPT, UNRELEASED = Path("data/published"), Path("data/releases"), "unreleased"
TABLES = ("estimates", "facts")
NO_FACTS = b"record_kind,record_id,path,written\n"
ADDED, GONE = "the model was added", "the model is gone"  # reasons for a change
COLUMNS = ("model_id", "column_name", "old", "new", "change_fraction", "reason")
Files = Mapping[str, bytes]  # the CSV file of each table in TABLES


class ReleaseError(ValueError):
    """Raised if a release cannot be read. The message is one line and gives the reason."""


def read(what: str, root: Path = LEDGER) -> Files:
    """Return the published values and facts of a checkout, a folder, a kept release or a git revision.

    A git revision has values but no facts. Raise ReleaseError if `what` is none of these.
    """
    for folder in (Path(what) / PUBLISHED, Path(what), root / KEPT / what):
        if (folder / "estimates.csv").is_file():
            facts = folder / "facts.csv"
            return {
                "estimates": (folder / "estimates.csv").read_bytes(),
                "facts": facts.read_bytes() if facts.is_file() else NO_FACTS,
            }
    try:
        return {
            "estimates": git(root, "show", "--end-of-options", f"{what}:{PUBLISHED}/estimates.csv"),
            "facts": NO_FACTS,
        }
    except (OSError, subprocess.CalledProcessError):
        raise ReleaseError(
            f"{what!r} is neither a folder with published values, nor a kept release, nor a revision of git"
        ) from None


def git(root: Path, *words: str) -> bytes:
    """Return the standard output of a git command. Raise OSError or CalledProcessError."""
    return subprocess.run(["git", "-C", root, *words], capture_output=True, check=True).stdout


def last_release(root: Path = LEDGER) -> str:
    """Return the version of the newest release in data/releases. Raise ReleaseError if there is none."""
    versions = sorted(folder.name for folder in (root / KEPT).glob("*/"))
    if not versions:
        raise ReleaseError(
            f"{KEPT}: no release is kept here; name another one to compare with, such as another checkout"
        )
    return versions[-1]


def release_files(root: Path = ROOT) -> dict[str, Files]:
    """Return the files of each release under `root`, by version, oldest first."""
    return {folder.name: read(str(folder)) for folder in sorted((root / KEPT).glob("*/"))}


def value_changes(old: Files, new: Files) -> list[dict[str, Any]]:
    """Return one row per value that changed, with `change_fraction` for numbers."""
    if NO_FACTS in (old["facts"], new["facts"]):  # if one side has no facts, every fact would seem changed
        old, new = {**old, "facts": NO_FACTS}, {**new, "facts": NO_FACTS}
    with duckdb.connect() as connection:
        for release, files in (("old", old), ("new", new)):
            for name, content in files.items():
                cells = connection.read_csv(io.BytesIO(content), all_varchar=True, header=True)  # noqa: F841
                connection.execute(
                    f"create table {release}_{name} as select regexp_replace(columns(*), '^''', '') from cells"
                )
        for column in ("base_model", "hardware"):  # early releases lack these columns
            connection.execute(f"alter table new_estimates add column if not exists {column} varchar")
        return rows(connection, SQL.read_text(encoding="utf-8"))


def history(version: str, now: Files, root: Path = ROOT) -> Iterator[dict[str, Any]]:
    """Yield the rows of `changes`: each release compared with the one before, and the current state with the last."""
    before = release_files(root)
    releases = {**before, UNRELEASED if version in before else version: now}
    for (_, old), (name, new) in pairwise(releases.items()):
        yield from ({**row, "release": name} for row in value_changes(old, new))


def main(root: Path = ROOT) -> int:
    """Copy the current published files to data/releases, under their version."""
    version = json.loads((root / PUBLISHED / "datapackage.json").read_text(encoding="utf-8"))["version"]
    folder = root / KEPT / version
    folder.mkdir(parents=True, exist_ok=True)
    for name in TABLES:
        shutil.copyfile(root / PUBLISHED / f"{name}.csv", folder / f"{name}.csv")
    files = [folder / f"{name}.csv" for name in TABLES]
    (folder / SUMS).write_text(sums({file.name: sha256(file) for file in files}), encoding="utf-8")
    print(f"{folder.relative_to(root)}: kept; commit it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
