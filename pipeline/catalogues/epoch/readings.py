"""Readings of the notes in Epoch's tables: figures that were read once in a row's free text, and are kept as data."""

import csv
import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from pipeline.base.paths import RECORDS

FILE = RECORDS / "catalogue_readings.csv"
LONGEST_SEARCHED, LONGEST_WORD = 20_000, 100  # characters; both bound the time of a search
_LONG_WORD = re.compile(rf"\S{{{LONGEST_WORD + 1},}}")
_ALIKE = str.maketrans("ſıİ", "sii")  # case-insensitive patterns treat these as s and i
_GAP = re.compile(r"\s{2,}|[^\S \n]")  # any white space except a single space or line break


class Reading(NamedTuple):
    """A figure, its value, and the words of the note (or name) in which it was read."""

    figure: str
    value: str
    words: str


@cache
def readings() -> dict[tuple[str, str], list[Reading]]:
    """Return the readings of each row, by the row's name and organization."""
    by_row: dict[tuple[str, str], list[Reading]] = {}
    with FILE.open(encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file):
            reading = Reading(line["figure"], line["value"], line["words"])
            by_row.setdefault((line["name"], line["organization"]), []).append(reading)
    return by_row


def values_in(read: Iterable[Reading], texts: Iterable[str]) -> dict[str, str]:
    """Return the value of each figure whose words are in one of a row's texts; a note that was rewritten has lost them.

    >>> [values_in([Reading("chips", "8", "8 GPUs")], [note]) for note in ("on  8 GPUs", "on 128 GPUs")]
    [{'chips': '8'}, {}]
    """
    spaced = [" ".join(text.split()) for text in texts]
    return {
        reading.figure: reading.value
        for reading in read
        if any(re.search(rf"(?<![\d.,]){re.escape(reading.words)}(?!\d)", text) for text in spaced)
    }


def search_text(cell: str) -> str:
    """Return a cell for searching: shortened, with single spaces and line breaks, and with overlong words blanked.

    >>> search_text("a  gap,  " + "x" * 200 + "\\n\\n end")
    'a gap, …\\nend'
    """
    short = _LONG_WORD.sub("…", cell[:LONGEST_SEARCHED].translate(_ALIKE))
    return _GAP.sub(lambda gap: "\n" if "\n" in gap[0] else " ", short)


def speaks_of(note: str, *words: str) -> bool:
    """Return whether any word of the note begins with one of these words."""
    return re.search(rf"\b(?:{'|'.join(words)})", note, re.IGNORECASE) is not None
