"""The base class of words that have a readable form."""

from enum import StrEnum
from typing import Self

SEPARATOR = " + "  # between several words in one cell
NAMES_SEPARATOR = " | "  # between several names in one cell


class Worded(StrEnum):
    """A word of records and tables, readable in full (`words`, empty if it adds nothing) and in short (`short`)."""

    words: str
    short: str

    def __new__(cls, value: str, words: str = "", short: str = "") -> Self:
        """Create the word with its readable forms."""
        word = str.__new__(cls, value)
        word._value_, word.words, word.short = value, words, short
        return word
