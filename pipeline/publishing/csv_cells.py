"""Write CSV for publication: numbers of fixed significant digits, and no text that spreadsheets run as a formula."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any, TextIO

from schemas.plain_text import CONTROLS

# These signs begin a formula at the start of a cell or after a semicolon, which separates cells in locales with decimal
# commas. Japanese spreadsheets also accept full-width signs.
RUNS_IN_A_SPREADSHEET = re.compile(r"(^|;)(?=[=+\-@\t\r\n＝＋－＠])")
INTEGER = re.compile(r"-?\d+")
LEAST_WITH_EXPONENT = 1e15  # doubles hold every whole number below it
DIGITS = 6  # significant digits of a published number


def text(columns: Sequence[str], rows: Iterable[Sequence[Any]], digits: int | None = DIGITS) -> str:
    """Return the text of a CSV file, with a header line.

    >>> text(["model_id", "flop", "chips"], [("alexnet", 4.7e17, 2.0), ("unknown", 6400.0, None)])
    'model_id,flop,chips\\nalexnet,4.7e+17,2\\nunknown,6400.0,\\n'
    """
    buffer = io.StringIO()
    rows = [*rows]
    # Readers that infer types from the first rows refuse fractions and exponents in a column that began with integers.
    fractional = {
        place for row in rows for place, value in enumerate(row) if isinstance(value, float) and not _is_integer(value)
    }
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(map(cell, columns))
    for row in rows:
        cells = [cell(value, digits) for value in row]
        writer.writerow(
            f"{text}.0" if place in fractional and INTEGER.fullmatch(text) else text for place, text in enumerate(cells)
        )
    return buffer.getvalue()


def _is_integer(value: float) -> bool:
    return value.is_integer() and abs(value) < LEAST_WITH_EXPONENT


def write(file: TextIO, columns: Sequence[str], rows: Iterable[Sequence[Any]], digits: int | None = DIGITS) -> None:
    """Write a header and one line per row, without holding all rows. Without `digits`, numbers are in full."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(map(cell, columns))
    writer.writerows([cell(value, digits) for value in row] for row in rows)


def cell(value: Any, digits: int | None = DIGITS) -> str:
    """Return a value as text: null is empty, numbers have a decimal point, and text goes through `safe_cell`.

    >>> cell(None), cell(True), cell(1234567.0), cell(-3), cell("-3")
    ('', 'true', '1234570', '-3', "'-3")
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if digits and isinstance(value, float):
        rounded = float(f"{value:.{digits}g}")
        return f"{rounded:.0f}" if _is_integer(rounded) else f"{value:.{digits}g}"
    return safe_cell(value) if isinstance(value, str) else str(value)


def safe_cell(text: str) -> str:
    """Return the text with an apostrophe before a spreadsheet formula, and a space for each terminal control character.

    >>> safe_cell("=cmd()"), safe_cell("one;＝cmd()")
    ("'=cmd()", "one;'＝cmd()")
    """
    printable = text if text.isprintable() else CONTROLS.sub(" ", text)
    return RUNS_IN_A_SPREADSHEET.sub(r"\1'", printable)
