"""The text of a publication, whatever its form: passages in their order, each with its place."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

APPENDIX = re.compile(r"[A-Z](\.\d+)*")
LONGEST_HEADING = 60  # characters of a heading that stands for a place


class UnreadableError(ValueError):
    """A file that cannot be read as a publication; the message is one line."""


class Kind(StrEnum):
    """Kind of passage."""

    TEXT = "text"
    HEADING = "heading"
    CAPTION = "caption"
    ROW = "row"  # of a table, or one key of a configuration


@dataclass(frozen=True)
class Passage:
    """A paragraph, heading, caption or table row, with its place.

    `place` is written as in a quote's `where` ("section 2.1", "table 3", or the words of an unnumbered heading). `page` counts
    from 1 if the form has pages.
    """

    text: str
    kind: Kind = Kind.TEXT
    place: str = ""
    page: int | None = None

    @property
    def where(self) -> str:
        """Place and page, as in a quote's `where`."""
        return ", ".join(part for part in (self.place, f"page {self.page}" if self.page else "") if part)


@dataclass(frozen=True)
class Document:
    """A publication's text. `form` is html, latex, markdown, text, config or pdf."""

    name: str
    form: str
    title: str
    passages: tuple[Passage, ...]


@dataclass
class Outline:
    """The headings passed so far, and the passages found under them."""

    place: str = ""
    page: int | None = None
    passages: list[Passage] = field(default_factory=list)
    numbered_level: int | None = None  # of the innermost numbered heading

    def open(self, words: str, number: str = "", level: int = 1) -> None:
        """Begins the part with this heading; `number` is its own, such as 2.1 or A, `level` 1 for the highest.

        An unnumbered heading within a numbered part leaves the place at that part's number.
        """
        words = plain_spaces(words)
        number = number.strip(" .")
        if APPENDIX.fullmatch(number) or re.fullmatch(r"[\dIVX]+(\.\d+)*(-[A-Z])?", number):
            self.place = (
                f"{'appendix' if APPENDIX.fullmatch(number) and number not in ('I', 'V', 'X') else 'section'} {number}"
            )
            self.numbered_level = level
        elif self.numbered_level is None or level <= self.numbered_level:
            self.numbered_level = None
            words_alone = words.strip(" .:")
            self.place = "abstract" if words_alone.lower() == "abstract" else words_alone[:LONGEST_HEADING].strip()
        if words:
            self.passages.append(Passage(words, Kind.HEADING, self.place, self.page))

    def title(self, words: str) -> None:
        """Takes the document's title, which is no place in it."""
        self.open(words)
        self.place, self.numbered_level = "", None

    def add(self, text: str, kind: Kind = Kind.TEXT, place: str = "") -> None:
        """Adds a passage of the present part, or of the given place in it."""
        text = plain_spaces(text)
        if text:
            self.passages.append(Passage(text, kind, place or self.place, self.page))

    def add_table(self, rows: Iterable[Iterable[str]], place: str = "") -> None:
        """Add each row of a table that has any text."""
        for row in rows:
            cells = [plain_spaces(cell) for cell in row]
            if any(cells):
                self.passages.append(Passage(" | ".join(cells), Kind.ROW, place or self.place, self.page))


def plain_spaces(text: str) -> str:
    """The text with single spaces, without invisible characters and with compatible letters in their usual form.

    >>> plain_spaces("2\\u00a0048  to\\u00adkens")
    '2 048 tokens'
    """
    text = text.replace("\u00ad", "").replace("\ufffe", "").replace("\u200b", "").replace("\u2061", "")
    return re.sub(r" ([_^])(?=\w)", r"\1", " ".join(unicodedata.normalize("NFC", text).split()))
