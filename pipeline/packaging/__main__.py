"""`python -m pipeline.packaging FOLDER`: builds a wheel that holds the ledger below `pipeline/packaged`, from a copy of the code.

In the checkout itself nothing may stand there: its data are those of data/.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb

from pipeline.paths import ROOT

PACKAGED = "pipeline/packaged"
CODE = ("pipeline", "schemas")
BESIDE = ("pyproject.toml", "README.md", "LICENSE", "LICENSE-DATA")
DATABASE = "data/published/ledger.duckdb"
BLOCK_BYTES = 16384  # the least that DuckDB takes
FILES = (
    "params.yaml",
    "CITATION.cff",
    "LICENSE-DATA",
    "data/published/datapackage.json",
    "data/published/estimates.csv",
    "data/published/catalogue_estimates.csv",
    "data/snapshots/epoch_notable.csv",
    "data/tables/stages.json",
)


def stage(folder: Path, root: Path = ROOT) -> None:
    """Copies code and ledger to `folder` as the wheel holds them. Raises FileNotFoundError where the pipeline has not made them."""
    found = [*(root / "data/records").rglob("*.yaml"), *(root / "data/tables").glob("*.parquet")]
    missing = [name for name in (DATABASE, *FILES) if not (root / name).is_file()] + ([] if found else ["data"])
    if missing:
        raise FileNotFoundError(f"{', '.join(missing)}: a wheel holds the published ledger; run `make repro` first")
    for name in CODE:
        shutil.copytree(root / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in BESIDE:
        shutil.copy(root / name, folder / name)
    _copy_database(root / DATABASE, folder / PACKAGED / DATABASE)
    for name in (*FILES, *sorted(path.relative_to(root).as_posix() for path in found)):
        target = folder / PACKAGED / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / name, target)


def _copy_database(source: Path, target: Path) -> None:
    """Copies tables, views and comments in blocks of the least size: the published file, in blocks that every DuckDB reads, is thrice as big."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with duckdb.connect() as connection:
        connection.execute(f"attach '{source}' as published (read_only)")
        connection.execute(f"attach '{target}' as packaged (block_size {BLOCK_BYTES})")
        connection.execute("copy from database published to packaged")


def main() -> None:
    """Builds the wheel into the folder of the first argument."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            stage(Path(folder))
        except FileNotFoundError as problem:
            print(problem, file=sys.stderr)
            raise SystemExit(1) from None
        words = ["uv", "build", "--quiet", "--wheel", "--out-dir", str(Path(sys.argv[1]).resolve()), folder]
        raise SystemExit(subprocess.run([str(Path(sys.executable).with_name("uv")), *words[1:]]).returncode)


if __name__ == "__main__":
    main()
