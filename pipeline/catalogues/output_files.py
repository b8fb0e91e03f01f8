"""Write a catalogue's estimates to one file, and the rows that could not be read to another."""

from pathlib import Path
from typing import Any, NamedTuple

from pipeline.base.paths import refused_output, replace_file
from pipeline.catalogues.estimates import ESTIMATE_COLUMNS, Estimated
from pipeline.catalogues.rows import Bad
from pipeline.catalogues.sheets import CatalogueError
from pipeline.publishing import csv_cells

BAD_COLUMNS = ("source_row", "name", "reason", "cells")


def check(out: Path) -> None:
    """Raise CatalogueError if estimates cannot be written to `out`, or would replace a file that is not ours."""
    for path in (out, _quarantine(out)):
        refused = refused_output(path)
        if refused:
            raise CatalogueError(f"{path}: {refused}")
    if _quarantine(out).exists() and not _is_own(_quarantine(out)):
        raise CatalogueError(
            f"{_quarantine(out)}: unreadable rows would replace this file, which is not ours; move it, or name another"
            " --out"
        )


def _quarantine(out: Path) -> Path:
    return out.with_name(f"{out.name}.quarantine.csv")


def _is_own(path: Path) -> bool:
    header = ",".join(BAD_COLUMNS).encode()
    with path.open("rb") as file:
        return file.readline(len(header) + 2).rstrip(b"\r\n") == header


class Written(NamedTuple):
    """The numbers of rows written, and the file of unreadable rows, if there is one."""

    rows: int
    with_an_estimate: int
    bad: int
    quarantine: Path | None


def write(estimated: Estimated, out: Path) -> Written:
    """Write the estimates to `out` and the unreadable rows to a file next to it, each file completely or not at all.

    Raise CatalogueError as `check` does.
    """
    check(out)
    quarantine = _quarantine(out)
    if estimated.bad:  # written first, so that estimates never exist without it
        replace_file(quarantine, csv_cells.text(BAD_COLUMNS, map(_cells, estimated.bad)))
    rows = [[row[name] for name in ESTIMATE_COLUMNS] for row in estimated.estimates]
    replace_file(out, csv_cells.text(ESTIMATE_COLUMNS, rows))
    if not estimated.bad:
        quarantine.unlink(missing_ok=True)  # left over from an earlier run
    known = sum(row[ESTIMATE_COLUMNS.index("training_flop")] is not None for row in rows)
    bad = len(estimated.bad)
    return Written(len(rows) + bad, known, bad, quarantine if bad else None)


def _cells(bad: Bad) -> list[Any]:
    return [*bad[:-1], " | ".join(f"{name}: {cell}" for name, cell in bad.cells.items() if cell)]


def summary(written: Written, out: Path) -> str:
    """Return a line with the files and the numbers of rows with an estimate, without one, or unreadable."""
    lacking = written.rows - written.bad - written.with_an_estimate
    without = f", {lacking} without an estimate, each with the reason" if lacking else ""
    bad = f", {written.bad} could not be read (see {written.quarantine})" if written.bad else ""
    return f"{out}: {written.rows} rows read, {written.with_an_estimate} estimated{without}{bad}"
