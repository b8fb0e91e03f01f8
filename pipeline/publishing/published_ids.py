"""Record ids in a release, for the check that no release loses an id."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Id = tuple[str, bool]  # kind and id of a record, such as models/alexnet, and whether it is retired


def of_release(folder: Path) -> Iterator[Id]:
    """Yield the ids in identifiers.csv of an earlier release; none if the file does not exist, as before the first release."""
    path = folder / "identifiers.csv"
    if path.exists():
        with path.open(encoding="utf-8", newline="") as file:
            yield from (_id(row, row["is_retired"] == "true") for row in csv.DictReader(file))


def of_rows(identifiers: list[dict[str, Any]]) -> list[Id]:
    """Return the ids in rows of the table `identifiers`."""
    return [_id(row, row["is_retired"]) for row in identifiers]


def _id(row: dict[str, Any], is_retired: bool) -> Id:
    return f"{row['record_kind']}/{row['record_id']}", is_retired
