"""Load tables that programs made from logs: `measurements/<id>.csv` of each measurement, and executed_flop.csv."""

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from pipeline.records.checks.record import LoadedRecord
from pipeline.records.yaml_text import Mistake
from schemas.base_model import Strict
from schemas.records import ExecutedPass, TableRow, Task
from schemas.spelling import nearest

EXECUTED = "executed_flop.csv"
MOST_BYTES = 20_000_000
Kind = TypeVar("Kind", bound=Strict)


def read(loaded: Iterable[LoadedRecord], mistakes: list[Mistake]) -> dict[str, list[TableRow]]:
    """Return the rows of each table by measurement id. Omit invalid rows, and add a mistake for each of them."""
    tables = {}
    for record in loaded:
        tasks = record.record.tasks if record.kind == "measurements" else None
        if tasks:
            tables[record.identifier] = list(_rows(Path(record.file).with_suffix(".csv"), tasks, mistakes))
    return tables


def executed_rows(folders: Iterable[Path], mistakes: list[Mistake]) -> list[ExecutedPass]:
    """Return the rows of executed_flop.csv from the ledgers in these folders."""
    tables = [folder / EXECUTED for folder in folders if (folder / EXECUTED).is_file()]
    return [row for path in tables for _, row in valid_rows(path, ExecutedPass, mistakes)]


def _rows(path: Path, tasks: dict[str, Task], mistakes: list[Mistake]) -> Iterator[TableRow]:
    """Yield the valid rows of a table; add a mistake for each row with an unknown task or a repeated name."""
    if not path.is_file() or path.is_symlink():
        mistakes.append(Mistake(str(path), 0, "", "is missing, but the record next to it has tasks; make it again"))
        return
    names: set[str] = set()
    for line, row in valid_rows(path, TableRow, mistakes):
        if row.task not in tasks:
            hint = nearest(row.task, tasks)
            mistakes.append(Mistake(str(path), line, "task", f"{row.task!r} is not one of the tasks{hint}"))
        elif row.row in names:
            mistakes.append(Mistake(str(path), line, "row", f"{row.row!r} occurs twice"))
        else:
            names.add(row.row)
            yield row


def valid_rows(path: Path, kind: type[Kind], mistakes: list[Mistake]) -> Iterator[tuple[int, Kind]]:
    """Yield the line and content of each valid row of a table. Add a mistake for each invalid row."""
    if path.stat().st_size > MOST_BYTES:
        mistakes.append(Mistake(str(path), 0, "", f"has more than {MOST_BYTES:,} bytes"))
        return
    with path.open(encoding="utf-8", errors="replace", newline="") as file:
        reader = csv.DictReader(file, restkey="")
        wrong = set(reader.fieldnames or ()) ^ set(kind.model_fields)
        if wrong:
            names = ", ".join(sorted(map(repr, wrong)))
            mistakes.append(Mistake(str(path), 1, "", f"has missing, unexpected or misspelt columns: {names}"))
            return
        for cells in reader:
            written = {name: cell for name, cell in cells.items() if cell not in ("", None)}
            try:
                yield reader.line_num, kind.model_validate_strings(written)
            except ValidationError as problems:
                mistakes += (
                    Mistake(str(path), reader.line_num, ".".join(map(str, problem["loc"])), problem["msg"])
                    for problem in problems.errors()
                )
