"""Record ids in a release, for the check that no release loses an id."""

from pathlib import Path

import duckdb

Id = tuple[str, bool]  # kind and id of a record, such as models/alexnet, and whether it is retired


def of_release(folder: Path) -> list[Id]:
    """Return the ids in identifiers.csv of an earlier release; none if the file does not exist, as before the first release."""
    path = folder / "identifiers.csv"
    return of_table(duckdb.read_csv(str(path))) if path.exists() else []


def of_table(identifiers: duckdb.DuckDBPyRelation) -> list[Id]:
    """Return the ids in the table `identifiers`."""
    return identifiers.project("record_kind || '/' || record_id, is_retired").fetchall()
