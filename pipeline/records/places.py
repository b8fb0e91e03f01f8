"""Whether the words of quotes stand at their places in public repositories: places.csv beside the folders of records."""

import csv
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from pipeline.records.yaml_text import Mistake
from schemas.facts import PLACE_AT_COMMIT
from schemas.records import Records
from schemas.vocabulary import PlaceResult

FILE = "places.csv"
AT_COMMIT = re.compile(PLACE_AT_COMMIT, re.DOTALL)
NO_COMMIT = "names no commit; write github:owner/repository@COMMIT:path, so that the words can be found again"


def read(files: Iterable[str]) -> dict[tuple[str, str], dict[str, str]]:
    """Result and day by found_at and text, of the ledgers that these files of records belong to."""
    return {(row.pop("found_at"), row.pop("text")): row for row in rows_of(FILE, files)}


def rows_of(table: str, files: Iterable[str]) -> list[dict[str, str]]:
    """Return the rows of the tables of this name in the ledgers that these files of records belong to."""
    tables = [file for file in sorted({Path(file).parent.parent / table for file in files}) if file.is_file()]
    return [row for file in tables for row in csv.DictReader(file.open(encoding="utf-8", newline=""))]


def why_not(place: str, text: str, records: Records) -> str | None:
    """Why a place is refused: it is in a public repository and neither names a commit nor has a result that says why."""
    result = records.places.get((place, text), {}).get("place_result", PlaceResult.FOUND)
    if not place.startswith("github:") or AT_COMMIT.fullmatch(place) or result != PlaceResult.FOUND:
        return None
    return NO_COMMIT


def unused(records: Records, folder: Path) -> Iterator[Mistake]:
    """Rows of words that no quote has at that place."""
    quoted = {(quote.found_at, quote.text) for *_, record in records.each() for quote in record.quotes.values()}
    for at, text in records.places.keys() - quoted:
        yield Mistake(str(folder / FILE), 0, "", f"no quote has {text[:40]!r} at {at}; delete the row")
