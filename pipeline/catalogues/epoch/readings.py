"""Readings of the notes in Epoch's tables: figures that were read once in a row's free text, and are kept as data."""

import csv
import re
from functools import cache

from pipeline.base.paths import RECORDS

FILE = RECORDS / "catalogue_readings.csv"
TOKENS_PER_WORD = 4 / 3  # for English text in byte-pair encodings; Epoch's documentation gives 0.75 words per token
LONGEST_SEARCHED, LONGEST_WORD = 20_000, 100  # characters; both bound the time of a search
_LONG_WORD = re.compile(rf"\S{{{LONGEST_WORD + 1},}}")
_ALIKE = str.maketrans("ſıİ", "sii")  # case-insensitive patterns treat these as s and i
_GAP = re.compile(r"\s{2,}|[^\S \n]")  # any white space except a single space or line break


@cache
def readings() -> dict[tuple[str, str], dict[str, str]]:
    """Return the figures read in each row's notes, by the row's name and organization."""
    by_row: dict[tuple[str, str], dict[str, str]] = {}
    with FILE.open(encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file):
            by_row.setdefault((line["name"], line["organization"]), {})[line["figure"]] = line["value"]
    return by_row


def searched(cell: str) -> str:
    """Return a cell prepared for searching: shortened, with single spaces and line breaks, and with overlong words blanked.

    >>> searched("a  gap,  " + "x" * 200 + "\\n\\n end")
    'a gap, …\\nend'
    """
    short = _LONG_WORD.sub("…", cell[:LONGEST_SEARCHED].translate(_ALIKE))
    return _GAP.sub(lambda gap: "\n" if "\n" in gap[0] else " ", short)


def speaks_of(note: str, *words: str) -> bool:
    """Return whether any word of the note begins with one of these words."""
    return re.search(rf"\b(?:{'|'.join(words)})", note, re.IGNORECASE) is not None
