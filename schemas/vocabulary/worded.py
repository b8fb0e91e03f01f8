"""Words that say something to a reader."""

from enum import StrEnum
from typing import Self

SEPARATOR = " + "  # between the words of a column that holds several


class Worded(StrEnum):
    """A word of records and tables, with what it says to a reader in `words`, empty where nothing has to be said, and in few words (`short`)."""

    words: str
    short: str

    def __new__(cls, value: str, words: str = "", short: str = "") -> Self:
        """The word and its words."""
        word = str.__new__(cls, value)
        word._value_, word.words, word.short = value, words, short
        return word
