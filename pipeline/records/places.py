"""Check places.csv: whether quotes were found at their places in public repositories."""

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path

from pipeline.records.yaml_text import Mistake
from schemas.records import Records

FILE = "places.csv"


def read(folders: Iterable[Path]) -> dict[tuple[str, str], dict[str, str]]:
    """Return the result and date of each look-up, by `found_at` and text, from the ledgers in these folders."""
    return {(row.pop("found_at"), row.pop("text")): row for row in rows_of(FILE, folders)}


def rows_of(table: str, folders: Iterable[Path]) -> list[dict[str, str]]:
    """Return the rows of every table with this name in the ledgers in these folders."""
    tables = [folder / table for folder in folders if (folder / table).is_file()]
    return [row for file in tables for row in csv.DictReader(file.open(encoding="utf-8", newline=""))]


def unused_places(records: Records, folder: Path) -> Iterator[Mistake]:
    """Yield a mistake for each row whose words and place match no quote."""
    quoted = {(quote.found_at, quote.text) for *_, record in records.entries() for quote in record.quotes.values()}
    for at, text in records.places.keys() - quoted:
        yield Mistake(str(folder / FILE), 0, "", f"no quote has {text[:40]!r} at {at}; delete the row")
