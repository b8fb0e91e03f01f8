"""What moved between two releases: every published value with what it was, and the facts that moved beneath it (changes.sql).

`python -m pipeline.publishing.changes` keeps what is published now under data/releases; it is a step of a release.
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

from pipeline.base.paths import LEDGER, ROOT
from pipeline.publishing.rows import rows

SQL = Path(__file__).with_suffix(".sql")
PUBLISHED, KEPT, UNRELEASED = Path("data/published"), Path("data/releases"), "unreleased"
TABLES = ("estimates", "facts")
NO_FACTS = b"record_kind,record_id,path,written\n"
ADDED, GONE = "the model was added", "the model is gone"  # reasons
COLUMNS = ("model_id", "column", "old", "new", "change_fraction", "reason")
Files = Mapping[str, bytes]  # the CSV of each of TABLES


class ReleaseError(ValueError):
    """A release that cannot be read; one line with the reason."""


def read(what: str, root: Path = LEDGER) -> Files:
    """Return the published values of a checkout, a folder, a kept release or a revision of git, and their facts, which git lacks.

    Raises ReleaseError.
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
    """Standard output of git. Raises OSError and CalledProcessError."""
    return subprocess.run(["git", "-C", root, *words], capture_output=True, check=True).stdout


def last_release(root: Path = LEDGER) -> str:
    """Return the version of the newest release that is kept. Raises ReleaseError if none is."""
    versions = sorted(folder.name for folder in (root / KEPT).glob("*/"))
    if not versions:
        raise ReleaseError(f"{KEPT}: no release is kept here; name what to compare with, such as another checkout")
    return versions[-1]


def kept(root: Path = ROOT) -> dict[str, Files]:
    """What releases kept under `root`, by version, the oldest first."""
    return {folder.name: read(str(folder)) for folder in sorted((root / KEPT).glob("*/"))}


def moved(old: Files, new: Files, least: float = 0.0) -> list[dict[str, Any]]:
    """One row a value that moved, with `change_fraction` where both are numbers; above 0, `least` keeps such numbers alone."""
    if NO_FACTS in (old["facts"], new["facts"]):  # of one alone all would have moved
        old, new = {**old, "facts": NO_FACTS}, {**new, "facts": NO_FACTS}
    with duckdb.connect() as connection:
        for release, files in (("old", old), ("new", new)):
            for name, content in files.items():
                cells = connection.read_csv(io.BytesIO(content), all_varchar=True, header=True)  # noqa: F841
                connection.execute(
                    f"create table {release}_{name} as select regexp_replace(columns(*), '^''', '') from cells"
                )
        for column in ("base_model", "hardware"):  # which early releases lack
            connection.execute(f"alter table new_estimates add column if not exists {column} varchar")
        found = rows(connection, SQL.read_text(encoding="utf-8"))
    return [row for row in found if least == 0 or abs(row["change_fraction"] or 0.0) >= least]


def history(version: str, now: Files, root: Path = ROOT) -> Iterator[dict[str, Any]]:
    """The rows of the table `changes`: of each kept release since the first, and of what is published now since the last."""
    before = kept(root)
    releases = {**before, UNRELEASED if version in before else version: now}
    for (_, old), (name, new) in pairwise(releases.items()):
        yield from ({**row, "release": name} for row in moved(old, new))


def main(root: Path = ROOT) -> int:
    """Keeps what is published, under the version that it has."""
    version = json.loads((root / PUBLISHED / "datapackage.json").read_text(encoding="utf-8"))["version"]
    folder = root / KEPT / version
    folder.mkdir(parents=True, exist_ok=True)
    for name in TABLES:
        shutil.copyfile(root / PUBLISHED / f"{name}.csv", folder / f"{name}.csv")
    print(f"{folder.relative_to(root)}: kept; commit it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
