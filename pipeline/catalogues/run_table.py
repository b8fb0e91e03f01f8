"""The table of measured runs beside a measurement's record, as readers write it: a line a row, in the order of its names."""

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from schemas.records import TableRow

FOLDER = Path("data/records/measurements")
DIGITS = 6  # significant


def write(rows: Iterable[Mapping[str, Any]], path: Path) -> None:
    """Writes rows of `TableRow`'s columns; one that a row lacks is not stated."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(TableRow.model_fields), lineterminator="\n")
        writer.writeheader()
        for row in sorted(rows, key=lambda row: row["row"]):
            writer.writerow(
                {key: f"{cell:.{DIGITS}g}" if isinstance(cell, float) else cell for key, cell in row.items()}
            )
