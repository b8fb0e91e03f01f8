"""The text of a publication in any format: passages in order, each with its place."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

APPENDIX = re.compile(r"[A-Z](\.\d+)*")
LONGEST_HEADING = 60  # in characters, of the part of a heading that names a place


class UnreadableError(ValueError):
    """A file that cannot be read as a publication. The message is one line."""


class Kind(StrEnum):
    """The kinds of passages in a document."""

    TEXT = "text"
    HEADING = "heading"
    CAPTION = "caption"
    ROW = "row"  # a row of a table, or a key of a configuration
    SOURCE = "source"  # a line as written in Markdown, whose rendered text is another passage


@dataclass(frozen=True)
class Passage:
    """A paragraph, heading, caption or table row, and its place.

    `place` has the form of a quote's `where` ("section 2.1", "table 3", or the words of an unnumbered heading). `page`
    counts from 1 if the format has pages, and is None otherwise.
    """

    text: str
    kind: Kind = Kind.TEXT
    place: str = ""
    page: int | None = None

    @property
    def where(self) -> str:
        """Return the place and page in the form of a quote's `where`."""
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
    """The headings read so far, and the passages below them."""

    place: str = ""
    page: int | None = None
    passages: list[Passage] = field(default_factory=list)
    numbered_level: int | None = None  # level of the innermost numbered heading

    def open(self, words: str, number: str = "", level: int = 1) -> None:
        """Begin a section with this heading. `number` is the section's number, such as 2.1 or A; `level` is 1 at the top.

        Below an unnumbered heading inside a numbered section, the place remains that section's number.
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
        """Add the document's title, which is not a place in it."""
        self.open(words)
        self.place, self.numbered_level = "", None

    def add(self, text: str, kind: Kind = Kind.TEXT, place: str = "") -> None:
        """Add a passage at the given place, by default the current section."""
        text = plain_spaces(text)
        if text:
            self.passages.append(Passage(text, kind, place or self.place, self.page))

    def add_table(self, rows: Iterable[Iterable[str]], place: str = "") -> None:
        """Add each row of a table, except rows without text."""
        for row in rows:
            cells = [plain_spaces(cell) for cell in row]
            if any(cells):
                self.passages.append(Passage(" | ".join(cells), Kind.ROW, place or self.place, self.page))


def plain_spaces(text: str) -> str:
    """Return the text in composed form (NFC), with single spaces and without invisible characters.

    >>> plain_spaces("2\\u00a0048  to\\u00adkens")
    '2 048 tokens'
    """
    text = text.replace("\u00ad", "").replace("\ufffe", "").replace("\u200b", "").replace("\u2061", "")
    return re.sub(r" ([_^])(?=\w)", r"\1", " ".join(unicodedata.normalize("NFC", text).split()))
