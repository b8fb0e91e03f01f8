"""Write CSV for publication: numbers with a fixed number of significant digits, and no text that a spreadsheet would run as a formula."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any, TextIO

from schemas.plain_text import CONTROLS

# These signs begin a formula at the start of a cell or after a semicolon, which separates cells in locales with decimal
# commas. Japanese spreadsheets also accept full-width signs.
RUNS_IN_A_SPREADSHEET = re.compile(r"(^|;)(?=[=+\-@\t\r\n＝＋－＠])")
DIGITS = 6  # significant digits of a published number


def text(columns: Sequence[str], rows: Iterable[Sequence[Any]], digits: int | None = DIGITS) -> str:
    """Return the text of a CSV file, with a header line.

    >>> text(["model_id", "flop"], [("alexnet", 4.7e17), ("unknown", None)])
    'model_id,flop\\nalexnet,4.7e+17\\nunknown,\\n'
    """
    buffer = io.StringIO()
    write(buffer, columns, rows, digits)
    return buffer.getvalue()


def write(file: TextIO, columns: Sequence[str], rows: Iterable[Sequence[Any]], digits: int | None = DIGITS) -> None:
    """Write a header line and one line per row, without holding all rows in memory. Without `digits`, write numbers in full."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(map(cell, columns))
    writer.writerows([cell(value, digits) for value in row] for row in rows)


def cell(value: Any, digits: int | None = DIGITS) -> str:
    """Return a value as text: null is empty, numbers have a decimal point in every locale, and text goes through `safe`.

    >>> cell(None), cell(True), cell(1234567.0), cell(-3), cell("-3")
    ('', 'true', '1.23457e+06', '-3', "'-3")
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if digits and isinstance(value, float):
        return f"{value:.{digits}g}"
    return safe(value) if isinstance(value, str) else str(value)


def safe(text: str) -> str:
    """Return the text with an apostrophe before any spreadsheet formula, and a space in place of each terminal control character.

    >>> safe("=cmd()"), safe("one;＝cmd()")
    ("'=cmd()", "one;'＝cmd()")
    """
    printable = text if text.isprintable() else CONTROLS.sub(" ", text)
    return RUNS_IN_A_SPREADSHEET.sub(r"\1'", printable)
