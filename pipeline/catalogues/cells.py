"""A CSV file as rows of text cells: encodings, quotes, sizes; the meaning of columns is in columns.py."""

import csv
import io
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import BinaryIO, NamedTuple

from schemas.plain_text import cut

LARGEST_BYTES = 64_000_000  # unless the user says otherwise; the full public table is 4 MB
LARGEST_SAID = (
    "FLOPLEDGER_LARGEST_CSV_MB"  # the user's own limit, an environment variable: a row takes a third of a millisecond
)
LONGEST_CELL = 100_000  # characters; the longest note of the public table has 14,000
READ_BYTES, READ_LINES = 1 << 18, 1000  # at once
MOST_NAMED, LONGEST_NAMED = 4, 50  # columns in a message, and their characters
OTHER_ENCODINGS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


class CatalogueError(ValueError):
    """A file that cannot be read as a catalogue; one line with the place, the problem and the remedy."""


class Line(NamedTuple):
    """One row of a file: its number, 1 being the first after the header, and its cells."""

    source_row: int
    cells: list[str]


class Sheet(NamedTuple):
    """The header and the rows of a file; lines are read as they are taken, once."""

    header: list[str]
    lines: Iterable[Line]


@contextmanager
def read_sheet(path: Path) -> Iterator[Sheet]:
    """The cells of a CSV file, which is open within the block. Raises CatalogueError where it is no CSV, cut off, or in another encoding."""
    check_size(path)
    try:
        file = path.open("rb")
    except OSError as problem:
        raise CatalogueError(_unreadable(str(path), problem)) from None
    with file:
        yield _sheet(file, str(path))


def _unreadable(name: str, problem: OSError) -> str:
    return f"{name} cannot be read: {(problem.strerror or str(problem)).lower()}"


def largest_bytes() -> int:
    """The size up to which a file is read. Raises CatalogueError where the user's own limit is no number of megabytes."""
    said = os.environ.get(LARGEST_SAID)
    if said is None:
        return LARGEST_BYTES
    if not re.fullmatch(r"[1-9]\d{0,6}", said):
        raise CatalogueError(
            f"{LARGEST_SAID} is {cut(said, LONGEST_NAMED)!r}; it is a number of megabytes, such as 500"
        )
    return int(said) * 1_000_000


def check_size(path: Path) -> None:
    """Raises CatalogueError for a file that is too large to be read, before any of it is."""
    if path.is_file() and path.stat().st_size > largest_bytes():
        raise CatalogueError(_too_large(str(path), path.stat().st_size))


def _too_large(name: str, size: int) -> str:
    needed = -(-size // 1_000_000)
    return f"{name} is larger than {largest_bytes():,} bytes; {LARGEST_SAID}={needed} raises the limit, in megabytes"


def sheet_of(content: bytes, name: str) -> Sheet:
    """The cells of the bytes of a CSV file called `name` in messages.

    >>> sheet_of(b"Model,Domain\\r\\nAlexNet,Vision\\r\\n", "a.csv").lines
    [Line(source_row=1, cells=['AlexNet', 'Vision'])]
    """
    header, lines = _sheet(io.BytesIO(content), name)
    return Sheet(header, [*lines])


def _sheet(file: BinaryIO, name: str) -> Sheet:
    rows = _rows(_Checked(file, name), name)
    first = next(rows, [])
    if not any(map(str.strip, first)) and not any(cell.strip() for row in rows for cell in row):
        raise CatalogueError(f"{name} is empty")
    header = [re.sub(r"\s+", " ", cell).strip() for cell in first]
    repeated = sorted(cell for cell, times in Counter(header).items() if times > 1 and cell)
    if repeated:
        raise CatalogueError(f"{name}:1 names a column twice: {listed(repeated)}")
    return Sheet(header, (Line(number, cells) for number, cells in enumerate(rows, 1) if any(cells)))


def _rows(file: "_Checked", name: str) -> Iterator[list[str]]:
    reader = csv.reader(io.TextIOWrapper(file, encoding="utf-8-sig", newline=""), strict=True)
    try:
        while True:
            with _long_cells():
                rows = list(islice(reader, READ_LINES))
            if not rows:
                return
            yield from rows
    except csv.Error as problem:
        raise CatalogueError(f"{name} {_in_words(problem)}") from None
    except UnicodeDecodeError as problem:
        line = file.lines_before + problem.object.count(b"\n", 0, problem.start) + 1
        said = f"{name}:{line} is not UTF-8 (byte {problem.object[problem.start]:#04x}); save it as UTF-8"
        raise CatalogueError(said) from None


class _Checked(io.BufferedIOBase):
    """The bytes of a file as they are read; what is no table ends in CatalogueError."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self._file, self._name = file, name
        self._size = self._lines = 0
        self._has_zero = False
        self.lines_before = 0  # of what was read last

    def readable(self) -> bool:
        return True

    def read1(self, size: int = -1, /) -> bytes:
        """More bytes than asked for, since each call takes as long as to read hundreds of kilobytes."""
        try:
            read = self._file.read(READ_BYTES)
        except OSError as problem:
            raise CatalogueError(_unreadable(self._name, problem)) from None
        if not self._size:
            self._judge_beginning(read)
        self._size += len(read)
        if self._size > largest_bytes():
            raise CatalogueError(_too_large(self._name, self._size))
        if self._has_zero:  # before: what is not even text was said to be that
            raise CatalogueError(f"{self._name} holds zero bytes; it is no CSV table")
        self._has_zero = b"\0" in read
        self.lines_before, self._lines = self._lines, self._lines + read.count(b"\n")
        return read

    def _judge_beginning(self, read: bytes) -> None:
        encoding = OTHER_ENCODINGS.get(read[:2])
        if encoding:
            raise CatalogueError(f"{self._name} is in {encoding}; save it as UTF-8")
        if re.match(r"\s*(<!doctype|<html|<\?xml|<head)", read.decode("utf-8-sig", "replace"), re.IGNORECASE):
            raise CatalogueError(
                f"{self._name} is a web page, not a CSV table; was an error page downloaded in its place?"
            )


def listed(headers: Sequence[str]) -> str:
    """The first of the headers, quoted, and how many more there are: a file may have thousands, of any length.

    >>> listed(["a", "b", "c", "d", "e", "f"])
    "'a', 'b', 'c', 'd' and 2 more"
    """
    more = f" and {len(headers) - MOST_NAMED} more" if len(headers) > MOST_NAMED else ""
    return ", ".join(repr(cut(header, LONGEST_NAMED)) for header in headers[:MOST_NAMED]) + more


def _in_words(problem: csv.Error) -> str:
    said = str(problem)
    if "unexpected end of data" in said:
        return "ends inside a quoted cell: it is cut off; download it again"
    return f"is no sound CSV: {said}"


@contextmanager
def _long_cells() -> Iterator[None]:
    # The csv module's limit is global and would refuse the whole file; a long cell must only cost its row.
    before = csv.field_size_limit(largest_bytes())
    try:
        yield
    finally:
        csv.field_size_limit(before)
