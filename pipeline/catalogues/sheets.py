"""Read CSV files as rows of text cells; check their encoding, quotes and size. columns.py interprets the columns."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from schemas.plain_text import CONTROLS, cut

LARGEST_BYTES = 64_000_000  # the full public table has 4 MB
LONGEST_CELL = 100_000  # characters; the longest note of the public table has 14,000
MOST_NAMED, LONGEST_NAMED = 4, 50  # the most columns listed in a message, and the most characters of each


class CatalogueError(ValueError):
    """Raised if a file is no catalogue that we read. The message is one line: the place, the problem and the remedy."""


class Line(NamedTuple):
    """One row of a file: its cells and its number, counted from 1 after the header."""

    source_row: int
    cells: list[str]


class Sheet(NamedTuple):
    """The header and rows of a file."""

    header: list[str]
    lines: list[Line]

    def by_header(self) -> Iterator[dict[str, str]]:
        """Yield the cells of each row by column name. A short row lacks the last columns."""
        return (dict(zip(self.header, line.cells, strict=False)) for line in self.lines)


def read_sheet(path: Path) -> Sheet:
    """Return the cells of a CSV file. Raise CatalogueError if the file is not CSV, is cut off, or is not in UTF-8."""
    return sheet_of(content_of(path), str(path))


def content_of(path: Path) -> bytes:
    """Return the bytes of a table's file. Raise CatalogueError as `check_size` does, or if it cannot be read."""
    check_size(path)
    try:
        return path.read_bytes()
    except OSError as problem:
        raise CatalogueError(f"{path} cannot be read: {(problem.strerror or str(problem)).lower()}") from None


def check_size(path: Path) -> None:
    """Raise CatalogueError if a file is too large, or is not a regular file."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise CatalogueError(f"{path} is not a regular file")
    if path.is_file() and path.stat().st_size > LARGEST_BYTES:
        raise CatalogueError(f"{path} is larger than {LARGEST_BYTES:,} bytes; read it in parts")


def sheet_of(content: bytes, name: str) -> Sheet:
    """Return the cells of a CSV file from its bytes; `name` is its name in messages.

    >>> [*sheet_of(b"Model,Domain\\r\\nAlexNet,Vision\\r\\n", "a.csv").lines]
    [Line(source_row=1, cells=['AlexNet', 'Vision'])]
    """
    rows = _rows(_text(content, name), name)
    if not any(cell.strip() for row in rows for cell in row):
        raise CatalogueError(f"{name} is empty")
    header = [re.sub(r"\s+", " ", cell).strip() for cell in rows[0]]
    repeated = sorted(cell for cell, times in Counter(header).items() if times > 1 and cell)
    if repeated:
        raise CatalogueError(f"{name}:1 names a column twice: {header_list(repeated)}")
    return Sheet(header, [Line(number, cells) for number, cells in enumerate(rows[1:], 1) if any(cells)])


def _text(content: bytes, name: str) -> str:
    """Return the file's content as text, with spaces in place of control characters and those that turn its direction.

    Raise CatalogueError if it is not UTF-8 or cannot be a table.
    """
    if re.match(rb"(?:\xef\xbb\xbf)?\s*(<!doctype|<html|<\?xml|<head)", content, re.IGNORECASE):
        raise CatalogueError(f"{name} is a web page, not a CSV table; was an error page downloaded in its place?")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = problem.object.count(b"\n", 0, problem.start) + 1
        message = f"{name}:{line} is not UTF-8 (byte {problem.object[problem.start]:#04x}); save it as UTF-8"
        raise CatalogueError(message) from None
    if "\0" in text:
        raise CatalogueError(f"{name} contains zero bytes; it is not a CSV table")
    return CONTROLS.sub(" ", text)


def _rows(text: str, name: str) -> list[list[str]]:
    """Return the rows of a CSV text. Raise CatalogueError if it is cut off or is not valid CSV."""
    # The csv module's global limit would reject the whole file, but a long cell should cost only its row.
    former_limit = csv.field_size_limit(LARGEST_BYTES)
    try:
        return list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except csv.Error as problem:
        if "unexpected end of data" in str(problem):
            raise CatalogueError(f"{name} ends inside a quoted cell: it is cut off; download it again") from None
        raise CatalogueError(f"{name} is not valid CSV: {problem}") from None
    finally:
        csv.field_size_limit(former_limit)


def header_list(headers: Sequence[str]) -> str:
    """Return the first headers, quoted and shortened, and the number of the others.

    >>> header_list(["a", "b", "c", "d", "e", "f"])
    "'a', 'b', 'c', 'd' and 2 more"
    """
    more = f" and {len(headers) - MOST_NAMED} more" if len(headers) > MOST_NAMED else ""
    return ", ".join(repr(cut(header, LONGEST_NAMED)) for header in headers[:MOST_NAMED]) + more
