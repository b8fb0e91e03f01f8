"""Estimates of a catalogue as files: the rows, and beside them those that could not be read."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pipeline.catalogues.estimates import ESTIMATE_COLUMNS, Estimated
from pipeline.paths import replace_file
from pipeline.publishing import csv_cells

BAD_COLUMNS = ("source_row", "name", "reason", "cells")


def write(estimated: Estimated, out: Path) -> Path | None:
    """Writes the estimates to `out` and the rows that could not be read beside it, each file whole or not at all.

    Returns the path of the latter; None where all rows could be read.
    """
    quarantine = out.with_name(f"{out.name}.quarantine.csv")
    bad = [
        {**each._asdict(), "cells": " | ".join(f"{name}: {cell}" for name, cell in each.cells.items() if cell)}
        for each in estimated.bad
    ]
    _write(out, ESTIMATE_COLUMNS, estimated.estimates)
    if not bad:
        quarantine.unlink(missing_ok=True)  # of an earlier run, whose rows can all be read now
        return None
    _write(quarantine, BAD_COLUMNS, bad)
    return quarantine


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
