"""Write the answers of commands: text fitted to a terminal, plain lines elsewhere, CSV or JSON on request."""

import re
import sys
from collections.abc import Iterable, Sequence
from itertools import chain, islice
from typing import Any, TextIO

from pipeline.answers import terminal
from pipeline.base.text import json_text
from pipeline.base.text.json_text import as_json as as_json
from pipeline.base.text.json_text import json_line, json_value, text
from pipeline.base.text.numbers import number
from pipeline.publishing import csv_cells
from schemas import plain_text

DIGITS = 6  # significant digits of a number on a terminal
MOST_ON_A_TERMINAL = 500  # rows
Rows = Iterable[Sequence[Any]]


def write(
    names: Sequence[str], rows: Rows, *, as_csv: bool = False, as_json: bool = False, digits: int | None = None
) -> None:
    """Write rows to standard output as a table, lines, CSV or JSON. A null is an empty cell, and `null` in JSON.

    In text, fractional numbers are shown with `digits` significant digits; without `digits`, they are shortened only on
    a terminal. CSV and JSON keep all digits. If a terminal is too narrow, the last columns are left out, as in
    `terminal.write_table`.
    """
    if as_json:
        _write_json(names, rows, sys.stdout)
    elif as_csv:
        cells = ([text(value) if isinstance(value, list | dict | bytes) else value for value in row] for row in rows)
        csv_cells.write(sys.stdout, names, cells, digits=None)
    elif sys.stdout.isatty():
        _write_table(names, rows, digits or DIGITS)
    else:
        for row in chain([names], rows):
            sys.stdout.write("\t".join(_cell(value, digits) for value in row) + "\n")


def say(message: str) -> None:
    """Write text to standard output, with a space in place of each terminal control character."""
    print(plain_text.lines(message), flush=True)


def tell(lines: Iterable[str]) -> None:
    """Write lines for people to standard output. On a terminal, wrap and emphasize them, and page many of them."""
    if sys.stdout.isatty():
        terminal.write_lines(type(line)(plain_text.lines(line)) for line in lines)
        sys.stdout.flush()
    else:
        say("\n".join(lines))


def answer(value: Any, lines: Iterable[str], *, as_json: bool) -> None:
    """Write a value as JSON, or write these lines, which present it to people."""
    if as_json:
        say(json_text.as_json(value))
    else:
        tell(lines)


def remark(message: str) -> None:
    """Write a remark (no part of the answer) to standard error. Cut long lines, and wrap them on a terminal."""
    message = plain_text.message(message)
    if sys.stderr.isatty():
        terminal.write_lines([message], sys.stderr)
    else:
        print(message, file=sys.stderr, flush=True)


def _write_json(names: Sequence[str], rows: Rows, out: TextIO) -> None:
    keys = _distinct_names(names)
    lines = (json_line(dict(zip(keys, map(json_value, row), strict=True))) for row in rows)
    out.write("[")
    for place, line in enumerate(lines):
        out.write(f"{',' if place else ''}\n{line}")
    out.write("\n]\n")


def _distinct_names(names: Sequence[str]) -> list[str]:
    keys: list[str] = []
    for name in names:
        candidates = (name if place == 0 else f"{name}_{place}" for place in range(len(names) + 1))
        keys.append(next(candidate for candidate in candidates if candidate not in keys))
    return keys


def _write_table(names: Sequence[str], rows: Rows, digits: int) -> None:
    remaining = iter(rows)
    shown = [
        [number(value, digits) if isinstance(value, float) else _cell(value, digits) for value in row]
        for row in islice(remaining, MOST_ON_A_TERMINAL)
    ]
    left_out = sum(1 for _ in remaining)
    columns = [
        terminal.Column(plain_text.one_line(name), [row[place] for row in shown], _is_number(place, shown))
        for place, name in enumerate(names)
    ]
    terminal.write_table(columns)
    if left_out:
        remark(f"{left_out:,} more rows: send the output to a file or another program")


def _cell(value: Any, digits: int | None) -> str:
    written = f"{value:.{digits}g}" if digits and isinstance(value, float) else text(value)
    return plain_text.one_line(written)


def _is_number(place: int, rows: list[list[str]]) -> bool:
    cells = [row[place] for row in rows if row[place]]
    return bool(cells) and all(re.fullmatch(r"[-+]?[\d.,]+(e[-+]?\d+)?|nan|inf|-inf", cell) for cell in cells)
