"""Write the table of measured runs that belongs to a measurement's record: one line per row, in the order of the row names."""

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from schemas.records import TableRow

FOLDER = Path("data/records/measurements")
DIGITS = 6  # significant


def write(rows: Iterable[Mapping[str, Any]], path: Path) -> None:
    """Write rows with the columns of `TableRow`. A row may lack columns, which are then not stated."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(TableRow.model_fields), lineterminator="\n")
        writer.writeheader()
        for row in sorted(rows, key=lambda row: row["row"]):
            writer.writerow(
                {key: f"{cell:.{DIGITS}g}" if isinstance(cell, float) else cell for key, cell in row.items()}
            )
