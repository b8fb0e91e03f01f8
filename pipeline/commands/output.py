"""Output of rows: a table on a terminal, tab-separated lines elsewhere, CSV or JSON on demand."""

import json
import math
import re
import sys
from collections.abc import Iterable, Sequence
from itertools import chain, islice
from shutil import get_terminal_size
from typing import Any, TextIO

from pipeline.publishing import csv_cells
from schemas import plain_text

DIGITS = 6  # of a number on a terminal
WORDS_WIDTH = 28  # characters below which a column of words is not folded on a terminal
MOST_ON_A_TERMINAL = 500  # rows
Rows = Iterable[Sequence[Any]]


def write(
    names: Sequence[str], rows: Rows, *, as_csv: bool = False, as_json: bool = False, digits: int | None = None
) -> None:
    """Writes rows to standard output as a table, lines, CSV or JSON; null is empty, in JSON null.

    Text has `digits` significant digits of fractional numbers; without `digits`, all but on a terminal. CSV and JSON have all.
    """
    if as_json:
        _write_json(names, rows, sys.stdout)
    elif as_csv:
        csv_cells.write(sys.stdout, names, ([_flat(value) for value in row] for row in rows), digits=None)
    elif sys.stdout.isatty():
        _write_table(names, rows, digits or DIGITS)
    else:
        for row in chain([names], rows):
            sys.stdout.write("\t".join(_cell(value, digits) for value in row) + "\n")


def text(value: Any) -> str:
    """A value as plain text in full: null is empty, numbers have a decimal point whatever the locale says."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | dict):
        return json.dumps(_plain(value), ensure_ascii=False)
    return str(value)


def say(message: str) -> None:
    """Writes text to standard output and flushes it; what could act on a terminal is a space."""
    print(plain_text.lines(message), flush=True)


def remark(message: str) -> None:
    """The same to standard error."""
    print(plain_text.lines(message), file=sys.stderr, flush=True)


def as_json(found: Any) -> str:
    """JSON text of rows or other values; numbers in full, null is unknown."""
    return _dumped(_plain(found), indent=2)


def _dumped(value: Any, indent: int | None = None) -> str:
    # JSON escapes the control characters below 32 alone; others act on terminals too.
    written = json.dumps(value, indent=indent, ensure_ascii=False)
    return re.sub("[\x7f-\x9f\u2028\u2029]", lambda found: f"\\u{ord(found[0]):04x}", written)


def number(value: float | None, digits: int = 3) -> str:
    """A number as text with `digits` significant digits; empty where unknown."""
    return "" if value is None else f"{value:.{digits}g}"


def _flat(value: Any) -> Any:
    return text(value) if isinstance(value, list | dict | bytes) else value


def _write_json(names: Sequence[str], rows: Rows, out: TextIO) -> None:
    keys = _distinct(names)
    lines = (_dumped(dict(zip(keys, map(_plain, row), strict=True))) for row in rows)
    out.write("[")
    for place, line in enumerate(lines):
        out.write(f"{',' if place else ''}\n{line}")
    out.write("\n]\n")


def _distinct(names: Sequence[str]) -> list[str]:
    made: list[str] = []
    for name in names:
        candidates = (name if place == 0 else f"{name}_{place}" for place in range(len(names) + 1))
        made.append(next(candidate for candidate in candidates if candidate not in made))
    return made


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None  # JSON has no infinity and no NaN
    if isinstance(value, dict):
        return {text(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value if isinstance(value, bool | int | float | str | None) else str(value)


def _write_table(names: Sequence[str], rows: Rows, digits: int) -> None:
    from rich.console import Console

    size = get_terminal_size()  # rich assumes 80 columns on a dumb terminal
    console = Console(width=size.columns, height=size.lines, highlight=False, markup=False, emoji=False)
    every = iter(rows)
    shown = [[_cell(value, digits) for value in row] for row in islice(every, MOST_ON_A_TERMINAL)]
    left = sum(1 for _ in every)
    is_number = [_is_number(place, shown) for place in range(len(names))]
    widths = [max(map(len, column)) for column in zip(names, *shown, strict=True)]
    needed = sum(width if right else min(width, WORDS_WIDTH) for width, right in zip(widths, is_number, strict=True))
    if needed + 2 * (len(names) - 1) <= console.width:
        _write_grid(names, shown, is_number, console)
    else:
        _write_records(names, shown, console)
    if left:
        print(f"{left:,} more rows: add a limit, or send the output to a file or another program", file=sys.stderr)


def _cell(value: Any, digits: int | None) -> str:
    written = f"{value:.{digits}g}" if digits and isinstance(value, float) else text(value)
    return plain_text.one_line(written)


def _is_number(place: int, rows: list[list[str]]) -> bool:
    cells = [row[place] for row in rows if row[place]]
    return bool(cells) and all(re.fullmatch(r"[-+]?[\d.,]+(e[-+]\d+)?|nan|inf|-inf", cell) for cell in cells)


def _write_grid(names: Sequence[str], rows: list[list[str]], is_number: list[bool], console: Any) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    for name, right in zip(names, is_number, strict=True):
        table.add_column(Text(name), justify="right" if right else "left", overflow="fold", no_wrap=right)
    for row in rows:
        table.add_row(*map(Text, row))
    console.print(table)


def _write_records(names: Sequence[str], rows: list[list[str]], console: Any) -> None:
    # Rows wider than the terminal: one line a column, as in psql's expanded display.
    from rich.text import Text

    for place, row in enumerate(rows):
        if place:
            console.rule(style="dim")
        for name, cell in zip(names, row, strict=True):
            if cell:
                console.print(Text(f"{name}: ", style="bold") + Text(cell), overflow="fold")
