"""Digests of the records, parameters and code from which a ledger was made, to see whether it is up to date."""

from pathlib import Path

import duckdb

from pipeline.base import digests
from pipeline.base.paths import IS_RELEASE, LEDGER
from pipeline.publishing import database

INPUTS = (  # files on which a number in the ledger may depend
    *digests.DATA,
    "data/releases/*/*",
    "params.yaml",
    "CITATION.cff",
    "uv.lock",
    "pipeline/engines/in_memory.py",
    "pipeline/models/*.sql",
    "pipeline/architectures/configs/*.yml",
    "pipeline/architectures/configs/classes.json",
    *(
        f"pipeline/{folder}/**/*.py"
        for folder in "architectures base catalogues formulas models publishing records rules stages".split()
    ),
    "schemas/**/*.py",
    "schemas/columns/columns.csv",
)


def input_digests(root: Path = LEDGER) -> dict[str, str]:
    """Return the SHA-256 of every file in INPUTS, by path."""
    return digests.sha256_of_files(root, INPUTS)


def changed_inputs(ledger: duckdb.DuckDBPyConnection, root: Path = LEDGER) -> list[str]:
    """Return the inputs that were added, removed or changed since the ledger was made; none in a release."""
    if IS_RELEASE and root == LEDGER:
        return []
    made_from = ledger.execute("select file, sha256 from made_from").fetchall()
    return sorted({file for file, _ in {*made_from} ^ {*input_digests(root).items()}})


def remark(changed: list[str]) -> str:
    """Return a remark for answers from a ledger that is older than these inputs.

    >>> remark(["data/records/models/gpt-3.yaml", "params.yaml"])
    'data/records/models/gpt-3.yaml and 1 more changed since the ledger was made; `make repro` makes it again'
    """
    more = f" and {len(changed) - 1:,} more" if changed[1:] else ""
    return f"{changed[0]}{more} changed since the ledger was made; `make repro` makes it again"


def is_present(root: Path = LEDGER) -> bool:
    """Return whether the published ledger is unchanged since it was published and was made from the present inputs."""
    try:
        with database.reading(root) as ledger:
            return not changed_inputs(ledger, root)
    except (database.DatabaseError, duckdb.Error):  # tables in an older layout raise duckdb.Error
        return False


if __name__ == "__main__":
    raise SystemExit(not is_present())
