"""Rows of tables among lines of text whose words have places: a figure belongs to the head above it."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

CAPTION = re.compile(r"(Table|Figure|Fig\.)\s+([A-Z]?\.?\d+(?:\.\d+)?)\s*[:.|]\s")
FIGURE = re.compile(r"[~≈<>±$]?\d[\d.,]*(?:[kKMBT%]|e[-−–]?\d+)?|[-–—]|✓|✗")
LEAST_FIGURES = 2  # of a row
LEAST_SHARE = 0.4  # of a row's words that are figures
MOST_LETTERS = 40  # of a row's other words
MOST_HEADS = 3  # lines above the first row
NEAR_CAPTION = 8  # lines between a table and its caption
FARTHEST = 25.0  # points between a figure and its head


@dataclass(frozen=True)
class Cell:
    """Words of a line that stand together, with where they begin and end, in points from the left."""

    text: str
    left: float
    right: float


@dataclass(frozen=True)
class Row:
    """A row of a table as `Passage` has it."""

    cells: tuple[str, ...]
    heads: tuple[str, ...]
    caption: str
    place: str


def rows(lines: list[str], cells_of: Callable[[int], list[Cell]]) -> dict[int, Row]:
    """The rows among these lines by number. `cells_of` gives a line's cells, and is asked for lines of tables alone."""
    found: dict[int, Row] = {}
    number = 0
    while number < len(lines):
        if not _is_row(lines[number]):
            number += 1
            continue
        end = number
        while end < len(lines) and (_is_row(lines[end]) or not lines[end].strip()):
            end += 1
        above = [place for place in range(max(0, number - MOST_HEADS), number) if _is_head(lines[place])]
        heads = [cells_of(place) for place in above]
        caption, where = _caption(lines, number, end)
        for place in range(number, end):
            cells = cells_of(place) if lines[place].strip() else []
            if len(cells) > 1:
                found[place] = Row(
                    tuple(cell.text for cell in cells), tuple(_head(cell, heads) for cell in cells), caption, where
                )
        number = end
    return found


def _is_row(line: str) -> bool:
    words = line.split()
    figures = [word for word in words if FIGURE.fullmatch(word)]
    others = sum(len(word) for word in words if not FIGURE.fullmatch(word))
    return (
        len(figures) >= LEAST_FIGURES
        and len(figures) >= LEAST_SHARE * len(words)
        and others <= MOST_LETTERS
        and not CAPTION.match(line)
    )


def _is_head(line: str) -> bool:
    return (
        bool(line.strip())
        and len(line) < 120
        and not line.rstrip().endswith((".", ",", ";"))
        and not CAPTION.match(line)
    )


def _head(cell: Cell, heads: Iterable[list[Cell]]) -> str:
    """The words above a cell, of every line of heads the nearest."""
    said = []
    for line in heads:
        if line:
            nearest = min(line, key=lambda head: _apart(cell, head))
            if _apart(cell, nearest) <= FARTHEST:
                said.append(nearest.text)
    return " ".join(said)


def _apart(one: Cell, other: Cell) -> float:
    if one.left <= other.right and other.left <= one.right:
        return 0.0
    return min(abs(one.left - other.right), abs(other.left - one.right))


def _caption(lines: list[str], start: int, end: int) -> tuple[str, str]:
    """The first line of the caption nearest to a table, and its place."""
    near = [*range(end, min(end + NEAR_CAPTION, len(lines))), *range(start - 1, max(start - 1 - NEAR_CAPTION, -1), -1)]
    found = [place for place in near if (match := CAPTION.match(lines[place].strip())) and match[1] == "Table"]
    if not found:
        return "", ""
    best = min(found, key=lambda place: place - end if place >= end else start - 1 - place)
    match = CAPTION.match(lines[best].strip())
    assert match is not None
    return " ".join(lines[best : best + 2]), f"table {match[2]}"
