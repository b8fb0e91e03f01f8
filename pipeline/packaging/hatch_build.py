"""Puts the ledger into a wheel: records, choices, tables and the published database, below `pipeline/packaged`.

An installation in place, as `make install` does it, needs none of it: its data are the checkout's.
"""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGED = "pipeline/packaged"
FILES = (
    "params.yaml",
    "CITATION.cff",
    "LICENSE-DATA",
    "data/published/ledger.duckdb",
    "data/published/estimates.csv",
    "data/published/catalogue_estimates.csv",
    "data/snapshots/epoch_notable.csv",
)


class Ledger(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the ledger's files to a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Names the files for the wheel; raises FileNotFoundError where the pipeline has not made them."""
        if version != "standard":
            return
        root = Path(self.root)
        tables = [path.relative_to(root).as_posix() for path in sorted((root / "data/tables").glob("*.parquet"))]
        records = [path.relative_to(root).as_posix() for path in sorted((root / "data/records").rglob("*.yaml"))]
        missing = [name for name in FILES if not (root / name).is_file()] + (
            [] if tables else ["data/tables/*.parquet"]
        )
        if missing:
            raise FileNotFoundError(f"{', '.join(missing)}: a wheel holds the published ledger; run `make repro` first")
        for name in (*FILES, *records, *tables):
            build_data["force_include"][str(root / name)] = f"{PACKAGED}/{name}"
