"""Where code and data stand, in a checkout or in an installed package, and the one way to replace a file."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent  # of the code
_PACKAGED = ROOT / "pipeline" / "packaged"  # in a wheel alone: the release that it holds
IS_RELEASE = _PACKAGED.is_dir()  # data are those of a release, which nothing makes again
LEDGER = _PACKAGED if IS_RELEASE else ROOT  # of params.yaml and data/
RECORDS = LEDGER / "data" / "records"
TABLES = LEDGER / "data" / "tables"
PUBLISHED = LEDGER / "data" / "published"
SNAPSHOTS = LEDGER / "data" / "snapshots"
SNAPSHOT = SNAPSHOTS / "epoch_notable.csv"  # Epoch's table of notable models, in git


def replace_file(path: Path, write: Callable[[Path], Any]) -> None:
    """Calls `write` with a path beside this one and renames what it wrote there, so that no reader sees half a file.

    Where `write` raises, the old file stays unchanged.
    """
    beside = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        write(beside)
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)
