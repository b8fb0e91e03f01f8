"""The columns of Epoch's table that we read, and our names for them. All other columns are dropped.

We estimate training compute, so we read no column that contains Epoch's own result or follows from it: training compute
with its bounds, compute of fine-tuning and post-training with notes, the estimation method, costs, utilizations with
notes, the frontier flag, the compute rank, power and confidence. From notes on compute we read only inputs
(readings.py).
"""

from collections.abc import Mapping
from typing import NamedTuple

from pipeline.catalogues.epoch.quantities import CellError, number, publication_date
from pipeline.catalogues.epoch.readings import readings, search_text, values_in
from pipeline.catalogues.rows import Bad, Row
from pipeline.catalogues.sheets import LONGEST_CELL, CatalogueError, Sheet, header_list

NAME, PUBLISHED = "Model", "Publication date"
TABLES = "Epoch tables"  # our own column: the source tables of each row, once several tables are merged (tables.py)
# Our name for each column that we read, and its headers in 2025 and 2026.
READ: dict[str, tuple[str, ...]] = {
    "name": (NAME,),
    "domain": ("Domain",),
    "task": ("Task",),
    "organization": ("Organization",),
    "organization_kinds": ("Organization categorization", "Organization categorization (from Organization)"),
    "published": (PUBLISHED,),
    "link": ("Link",),
    "parameters": ("Parameters",),
    "parameters_notes": ("Parameters notes",),
    "datapoints": (
        "Training dataset size (total)",
        "Training dataset size (datapoints)",
        "(DEPRECATED) Training dataset size (datapoints)",
    ),
    "datapoints_notes": ("Dataset size notes",),
    "dataset": ("Training dataset",),
    "epochs": ("Epochs",),
    "hours": ("Training time (hours)",),
    "hours_notes": ("Training time notes",),
    "chip_hours": ("Training chip-hours",),
    "chips": ("Hardware quantity",),
    "hardware": ("Training hardware",),
    "precision": ("Numerical format",),
    "base_model": ("Base model",),
    "compute_notes": ("Training compute notes",),
    "epoch_tables": (TABLES,),
}
NEEDED = ("name", "published", "domain", "parameters", "datapoints", "hardware")
# Columns with numbers, and our words for them in messages.
NUMBERS = {
    name: READ[name][0].split(" (")[0]
    for name in ("parameters", "datapoints", "epochs", "hours", "chip_hours", "chips")
}
# Columns searched with regular expressions.
TEXTS = ("task", "link", *(name for name in READ if name.endswith("_notes")))


class Rows(NamedTuple):
    """The rows of a sheet that can be read, the rows that cannot, and remarks on columns."""

    rows: list[Row]
    bad: list[Bad]
    remarks: list[str]


def rows_of(sheet: Sheet, name: str) -> Rows:
    """Return the rows of a sheet from the file `name`. Raise CatalogueError if required columns are missing."""
    absent = [column for column, headers in READ.items() if not {*headers} & {*sheet.header}]
    missing = [" or ".join(map(repr, READ[column])) for column in NEEDED if column in absent]
    if missing:
        raise CatalogueError(f"{name}:1 lacks the column {', '.join(missing)}; is it Epoch's table of models?")
    rows: list[Row] = []
    bad: list[Bad] = []
    for line, cells in zip(sheet.lines, map(_our_cells, sheet.by_header()), strict=True):
        reason = _refusal(line.cells, cells, len(sheet.header))
        if reason:
            bad.append(Bad.from_cells(line.source_row, cells, reason))
        else:
            rows.append(row_of(line.source_row, cells))
    empty = [READ[column][0] for column in absent if column != "epoch_tables"]
    remarks = [f"{name}:1 lacks columns, which are read as empty: {header_list(empty)}"] if empty else []
    return Rows(rows, bad, remarks)


def _our_cells(by_header: Mapping[str, str]) -> dict[str, str]:
    """Return the filled cells, by our names. If we have one name for several columns, take the first filled cell."""
    cells = {
        column: next(filter(None, (by_header.get(header, "").strip() for header in headers)), "")
        for column, headers in READ.items()
    }
    return {column: cell for column, cell in cells.items() if cell}


def _refusal(written: list[str], cells: Mapping[str, str], width: int) -> str | None:
    """Return the reason why a row cannot be read, or None if it can."""
    if len(written) != width:
        return f"has {len(written)} cells, but the header has {width}"
    if "name" not in cells:
        return "has no name"
    too_long = next((column for column, cell in cells.items() if len(cell) > LONGEST_CELL), None)
    if too_long:
        length = len(cells[too_long])
        return f"{READ[too_long][0]!r} has {length:,} characters; at most {LONGEST_CELL:,} are read"
    return None


def row_of(source_row: int, cells: dict[str, str]) -> Row:
    """Return the row of these cells. Cells that cannot be read are listed in `unread`; the other cells are kept."""
    numbers, when, unread = {}, None, []
    for name in filter(cells.get, NUMBERS):
        try:
            numbers[name] = number(cells[name], NUMBERS[name])
        except CellError as problem:
            unread.append(str(problem))
    try:
        when = publication_date(cells.get("published", ""))
    except CellError as problem:
        unread.append(str(problem))
    searchable_texts = {name: search_text(cell) for name in TEXTS if (cell := cells.get(name))}
    read = readings().get((cells["name"], cells.get("organization", "")), [])
    read = values_in(read, [cells["name"], *searchable_texts.values()]) if read else {}
    return Row(source_row, cells | searchable_texts, numbers, when, unread, read)


def name_of(cells: Mapping[str, str]) -> str:
    """Return the model's name in a row, without line breaks."""
    return " ".join(cells[NAME].split())


def row_number(cells: Mapping[str, str], header: str) -> float | None:
    """Return the number in the cell under a header, or None if the cell has no readable number."""
    try:
        return number(cells.get(header) or "", header)
    except CellError:
        return None
