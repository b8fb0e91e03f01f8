"""Merge Epoch's tables into one that contains each model once, matched by the words of its name and organization."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from pipeline.catalogues.epoch.columns import NAME, TABLES
from pipeline.catalogues.sheets import Line, Sheet, read_sheet
from schemas.spelling import words


def merge(paths: Iterable[Path]) -> Sheet:
    """Return the rows of these tables, merged and renumbered. Differing cells are from the first table that has one.

    The column `Epoch tables` names the tables with the row. Rows without a name are left out. Raise CatalogueError.
    """
    return merge_sheets({path.stem: read_sheet(path) for path in paths})


def merge_sheets(sheets: Mapping[str, Sheet]) -> Sheet:
    """Merge sheets as `merge` does. `sheets` maps the name of each table to its sheet."""
    header = [TABLES, *dict.fromkeys(column for sheet in sheets.values() for column in sheet.header)]
    rows: dict[object, dict[str, str]] = {}
    for table, sheet in sheets.items():
        for cells in sheet.by_header():
            name = " ".join(cells.get(NAME, "").split())
            row = rows.setdefault((frozenset(words(name)), cells.get("Organization")), {}) if name else {}
            row[TABLES] = " ".join(dict.fromkeys([*row.get(TABLES, "").split(), table]))
            row |= {column: cell for column, cell in cells.items() if cell.strip() and not row.get(column)}
    lines = enumerate(([row.get(column, "") for column in header] for row in rows.values()), 1)
    return Sheet(header, [Line(number, cells) for number, cells in lines])
