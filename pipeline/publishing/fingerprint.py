"""What a ledger was made from: one fingerprint of records, parameters and code says whether it is of the present."""

import hashlib
from glob import glob
from pathlib import Path

import duckdb

from pipeline.paths import IS_RELEASE, LEDGER

INPUTS = (  # files that a number of the ledger may depend on
    "data/records/*/*.yaml",
    "data/records/places.csv",
    "data/snapshots/epoch_notable.csv",
    "data/releases/*/*",
    "params.yaml",
    "uv.lock",
    *(f"pipeline/{name}.py" for name in ("contracts", "flow", "in_memory", "paths", "sql", "stages")),
    "pipeline/models/*.sql",
    *(
        f"pipeline/{folder}/**/*.py"
        for folder in ("architectures", "catalogues", "formulas", "publishing", "records", "rules")
    ),
    "schemas/**/*.py",
)


def of(root: Path = LEDGER) -> str:
    """SHA-256 of every file of INPUTS, with its place; by content, as times and sizes can be forged."""
    digest = hashlib.sha256()
    for place in sorted({place for pattern in INPUTS for place in glob(pattern, root_dir=root, recursive=True)}):
        content = (root / place).read_bytes()
        digest.update(f"{place} {len(content)} ".encode() + content)
    return digest.hexdigest()


def is_present(root: Path = LEDGER) -> bool:
    """Whether the published ledger is of the present inputs; a release has no others."""
    if IS_RELEASE and root == LEDGER:
        return True
    return of_ledger(root / "data" / "published" / "ledger.duckdb") == of(root)


def of_ledger(path: Path) -> str | None:
    """The fingerprint that a ledger's file holds; None where it cannot be read."""
    try:
        with duckdb.connect(str(path), read_only=True) as connection:
            ((fingerprint,),) = connection.execute("select fingerprint from made_from").fetchall()
    except (duckdb.Error, OSError, ValueError):
        return None
    return str(fingerprint)
