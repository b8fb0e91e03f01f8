"""Estimates of a catalogue as files: the rows, and beside them those that could not be read."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pipeline.catalogues.cells import CatalogueError
from pipeline.catalogues.estimates import ESTIMATE_COLUMNS, Estimated
from pipeline.paths import refused_output, replace_file
from pipeline.publishing import csv_cells

BAD_COLUMNS = ("source_row", "name", "reason", "cells")


def check(out: Path) -> None:
    """Raises CatalogueError where the estimates cannot go to `out`, or what `write` would put or delete beside it is somebody else's."""
    for path in (out, _quarantine(out)):
        refused = refused_output(path)
        if refused:
            raise CatalogueError(f"{path}: {refused}")
    if _quarantine(out).exists() and not _is_own(_quarantine(out)):
        raise CatalogueError(
            f"{_quarantine(out)}: rows that cannot be read would go there, and it is no such file; move it, or name another --out"
        )


def _quarantine(out: Path) -> Path:
    return out.with_name(f"{out.name}.quarantine.csv")


def _is_own(path: Path) -> bool:
    header = ",".join(BAD_COLUMNS).encode()
    with path.open("rb") as file:
        return file.readline(len(header) + 2).rstrip(b"\r\n") == header


def write(estimated: Estimated, out: Path) -> Path | None:
    """Writes the estimates to `out` and the rows that could not be read beside it, each file whole or not at all.

    Returns the path of the latter; None where all rows could be read. Raises CatalogueError as `check` does.
    """
    check(out)
    quarantine = _quarantine(out)
    bad = [
        {**each._asdict(), "cells": " | ".join(f"{name}: {cell}" for name, cell in each.cells.items() if cell)}
        for each in estimated.bad
    ]
    if bad:
        _write(quarantine, BAD_COLUMNS, bad)  # before the estimates, which never stand there without it
    _write(out, ESTIMATE_COLUMNS, estimated.estimates)
    if not bad:
        quarantine.unlink(missing_ok=True)  # of an earlier run, whose rows can all be read now
    return quarantine if bad else None


def told(estimated: Estimated, out: Path, quarantine: Path | None) -> str:
    """A line with the numbers of rows estimated, without an estimate and unreadable, and the files."""
    number = len(estimated.estimates)
    known = sum(row["training_flop"] is not None for row in estimated.estimates)
    without = f", {number - known} without an estimate, each with the reason" if known < number else ""
    bad = f", {len(estimated.bad)} could not be read (see {quarantine})" if quarantine else ""
    return f"{out}: {number + len(estimated.bad)} rows read, {known} estimated{without}{bad}"


def _write(path: Path, names: Sequence[str], found: Iterable[Mapping[str, Any]]) -> None:
    text = csv_cells.text(names, ([row[name] for name in names] for row in found))
    replace_file(path, lambda beside: beside.write_text(text, encoding="utf-8", newline=""))
