"""Write text and tables that fit the terminal's width without splitting words. Long answers go to the user's pager."""

import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from shutil import get_terminal_size
from typing import Any, NamedTuple, TextIO

from pipeline.base.text.wrapping import wrap

WORDS_WIDTH = 28  # characters; a column of words is not folded to less than this
GAP = 2  # characters between two columns
MOST_ROWS_AS_RECORDS = 3  # if the columns do not fit, up to this many rows are written as one line per column
PAGER_OPTIONS = "FRX"  # options for less if the user set none: quit if one screen is enough, keep colours and text


class Strong(str):
    """A line that a terminal emphasizes."""


class Heading(str):
    """A line that a terminal shows as a section's heading."""


class Aside(str):
    """A line that a terminal dims."""


STYLES: dict[type[str], str] = {Strong: "bold", Heading: "bold cyan", Aside: "dim"}


class Column(NamedTuple):
    """A column's heading, its cells as text, and whether they are numbers."""

    name: str
    cells: Sequence[str]
    is_number: bool


def write_lines(lines: Iterable[str], stream: TextIO | None = None) -> None:
    """Wrap and write lines. Use the pager if they go to standard output and do not fit on one screen."""
    from rich.text import Text

    console = _console(stream)
    printed = []
    for line in lines:
        style = STYLES.get(type(line), "")
        printed += [Text(part, style) for paragraph in line.split("\n") for part in wrap(paragraph, console.width)]
    _print(console, printed, len(printed))


def write_table(columns: Sequence[Column]) -> None:
    """Write columns side by side. Leave out those that do not fit, and add a line that names them.

    If there are few rows, all columns are written instead, one per line.
    """
    console = _console(None)
    fitting = _fitting_columns(columns, console.width)
    left_out = [column.name for column in columns if column not in fitting]
    number = len(columns[0].cells) if columns else 0
    if left_out and number <= MOST_ROWS_AS_RECORDS or not fitting:
        lines = list(_as_records(columns, console.width))
        _print(console, lines, len(lines))
        return
    table = _grid(fitting, console.width)
    remark = f"left out at {console.width} characters: {', '.join(left_out)}; --csv and --json have all"
    note = wrap(remark, console.width) if left_out else []
    heights = console.render_lines(table, console.options, pad=False)
    from rich.text import Text

    _print(console, [table, *(Text(line, "dim") for line in note)], len(heights) + len(note))


def _console(stream: TextIO | None) -> Any:
    from rich.console import Console

    size = get_terminal_size()  # because rich assumes 80 columns on a dumb terminal
    return Console(
        file=stream, width=size.columns, height=size.lines, highlight=False, markup=False, emoji=False, soft_wrap=False
    )


def _print(console: Any, parts: Iterable[Any], height: int) -> None:
    def write() -> None:
        for part in parts:
            console.print(part, overflow="ignore", no_wrap=True, crop=False)

    if height < console.height or console.file is not sys.stdout:
        write()
        return
    os.environ.setdefault("LESS", PAGER_OPTIONS)
    with console.pager(styles=True):
        write()


def _fitting_columns(columns: Sequence[Column], width: int) -> list[Column]:
    """Return the columns that fit next to each other, taken from the left; none if even the first does not fit."""
    room, fitting = width + GAP, list[Column]()
    for column in columns:
        needed = _least_width(column) + GAP
        if needed <= room:
            fitting.append(column)
            room -= needed
        elif not fitting:
            return []
    return fitting


def _least_width(column: Column) -> int:
    """Return the smallest width at which no word is split and a column of words does not become very tall."""
    from rich.cells import cell_len

    natural = max(map(cell_len, column.cells), default=0)
    words = (
        natural
        if column.is_number
        else max((cell_len(word) for cell in column.cells for word in cell.split()), default=0)
    )
    heading = max(map(cell_len, _parts(column.name)))
    return max(words, min(natural, WORDS_WIDTH), heading)


def _grid(columns: Sequence[Column], width: int) -> Any:
    from rich.box import SIMPLE_HEAD
    from rich.cells import cell_len
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    natural_widths = [max(map(cell_len, (column.name, *column.cells))) for column in columns]
    has_room = sum(natural_widths) + GAP * (len(columns) - 1) <= width
    for column in columns:
        least = _least_width(column)
        heading = _lines_of_name(column.name, max(map(cell_len, column.cells), default=least))
        table.add_column(
            Text(column.name if has_room else "\n".join(heading)),
            justify="right" if column.is_number else "left",
            min_width=least,
            overflow="fold",
        )
    for row in zip(*(column.cells for column in columns), strict=True):
        table.add_row(*map(Text, row))
    return table


def _parts(name: str) -> list[str]:
    """Return the parts of a column's name, between which it may be broken.

    >>> _parts("training_flop_low")
    ['training_', 'flop_', 'low']
    """
    return re.findall("[^_ ]*[_ ]|[^_ ]+", name) or [""]


def _lines_of_name(name: str, width: int) -> list[str]:
    lines = [""]
    for part in _parts(name):
        if lines[-1] and len(lines[-1]) + len(part.rstrip()) > width:
            lines.append("")
        lines[-1] += part
    return [line.rstrip() for line in lines]


def _as_records(columns: Sequence[Column], width: int) -> Iterator[Any]:
    # Write one line per column, as psql's expanded display does.
    from rich.text import Text

    for place in range(len(columns[0].cells)):
        if place:
            yield Text("-" * min(width, WORDS_WIDTH), "dim")
        for column in columns:
            if column.cells[place]:
                for number, line in enumerate(wrap(f"{column.name}: {column.cells[place]}", width)):
                    text = Text(line)
                    if number == 0:
                        text.stylize("bold", 0, len(column.name) + 1)
                    yield text
