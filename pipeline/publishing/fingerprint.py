"""What a ledger was made from: digests of records, parameters and code say whether it is of the present ones."""

import hashlib
from glob import glob
from pathlib import Path

import duckdb

from pipeline.base.paths import IS_RELEASE, LEDGER
from pipeline.publishing import database

INPUTS = (  # files that a number of the ledger may depend on
    "data/records/*/*.yaml",
    "data/records/places.csv",
    "data/snapshots/epoch_notable.csv",
    "data/releases/*/*",
    "params.yaml",
    "CITATION.cff",
    "uv.lock",
    "pipeline/engines/in_memory.py",
    "pipeline/models/*.sql",
    "pipeline/architectures/configs/*.yml",
    *(
        f"pipeline/{folder}/**/*.py"
        for folder in (
            "architectures",
            "base",
            "catalogues",
            "formulas",
            "models",
            "publishing",
            "records",
            "rules",
            "stages",
        )
    ),
    "schemas/**/*.py",
    "schemas/columns/columns.csv",
)


def of(root: Path = LEDGER) -> dict[str, str]:
    """SHA-256 of every file of INPUTS, by its place; by content, as times and sizes can be forged."""
    places = sorted({place for pattern in INPUTS for place in glob(pattern, root_dir=root, recursive=True)})
    return {place: hashlib.sha256((root / place).read_bytes()).hexdigest() for place in places}


def changed(ledger: duckdb.DuckDBPyConnection, root: Path = LEDGER) -> list[str]:
    """The inputs that are new, gone, or of another content than those that the ledger was made from; none in a release."""
    if IS_RELEASE and root == LEDGER:
        return []
    made_from = ledger.execute("select file, sha256 from made_from").fetchall()
    return sorted({file for file, _ in {*made_from} ^ {*of(root).items()}})


def remark(changed: list[str]) -> str:
    """What to say beside an answer from a ledger that is older than these inputs.

    >>> remark(["data/records/models/gpt-3.yaml", "params.yaml"])
    'data/records/models/gpt-3.yaml and 1 more changed since the ledger was made; `make repro` makes it again'
    """
    more = f" and {len(changed) - 1:,} more" if changed[1:] else ""
    return f"{changed[0]}{more} changed since the ledger was made; `make repro` makes it again"


def is_present(root: Path = LEDGER) -> bool:
    """Whether the published ledger is as it was published, and of the present inputs."""
    try:
        with database.reading(root) as ledger:
            return not changed(ledger, root)
    except (database.DatabaseError, duckdb.Error):  # also of an older form
        return False


if __name__ == "__main__":
    raise SystemExit(not is_present())
