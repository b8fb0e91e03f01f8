"""The checkout's root, and the one way to replace a file."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RECORDS = ROOT / "data" / "records"
TABLES = ROOT / "data" / "tables"
PUBLISHED = ROOT / "data" / "published"
SNAPSHOTS = ROOT / "data" / "snapshots"
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
