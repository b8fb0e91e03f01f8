"""The columns of Epoch's table that we read, and our names for them. All other columns are dropped.

We estimate training compute, so we read no column that contains Epoch's own result or follows from it: training compute
with its bounds, compute of fine-tuning and post-training with notes, the estimation method, costs, utilizations with
notes, the frontier flag, the compute rank, power and confidence. From notes on compute we read only inputs
(compute_notes.py).
"""

from collections.abc import Mapping
from typing import NamedTuple

from pipeline.catalogues.cells import LONGEST_CELL, CatalogueError, Sheet, listed
from pipeline.catalogues.epoch import notes
from pipeline.catalogues.epoch.quantities import CellError, number, published
from pipeline.catalogues.rows import Bad, Row

NAME, PUBLISHED = "Model", "Publication date"
TABLES = "Epoch tables"  # names the tables that contain a row, after several tables were merged (tables.py)
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
    "batch": ("Batch size",),
    "batch_notes": ("Batch size notes",),
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
IS_TOTAL = "is_total"  # "yes" if the column of data points already includes what the notes would add
NEEDED = ("name", "published", "domain", "parameters", "datapoints", "hardware")
NUMBERS = ("parameters", "datapoints", "epochs", "batch", "hours", "chip_hours", "chips")
TEXTS = ("task", "link", *(name for name in READ if name.endswith("_notes")))  # columns searched by patterns


class Rows(NamedTuple):
    """The rows of a sheet that can be read, the rows that cannot, and remarks on columns."""

    rows: list[Row]
    bad: list[Bad]
    remarks: list[str]


def rows_of(sheet: Sheet, name: str) -> Rows:
    """Return the rows of a sheet from the file `name`. Raise CatalogueError if required columns are missing."""
    header = sheet.header
    places = {column: [header.index(h) for h in headers if h in header] for column, headers in READ.items()}
    missing = [" or ".join(map(repr, READ[column])) for column in NEEDED if not places[column]]
    if missing:
        raise CatalogueError(f"{name}:1 lacks the column {', '.join(missing)}; is it Epoch's table of models?")
    totals = [place for place in places["datapoints"] if header[place].endswith("(total)")]
    rows: list[Row] = []
    bad: list[Bad] = []
    for line in sheet.lines:
        cells = _cells(line.cells, places)
        # Epoch's totals count tokens even for data in words. In the other columns, a note marks words with [WORDS].
        if any(place < len(line.cells) and line.cells[place].strip() for place in totals):
            cells[IS_TOTAL] = "yes"
        reason = _trouble(line.cells, cells, len(header))
        if reason:
            bad.append(Bad.of(line.source_row, cells, reason))
        else:
            rows.append(row_of(line.source_row, cells))
    return Rows(rows, bad, _remarks(places, name))


def _remarks(places: Mapping[str, list[int]], name: str) -> list[str]:
    """Return a remark on the missing columns, if there are any."""
    absent = [READ[column][0] for column, numbers in places.items() if not numbers and column != "epoch_tables"]
    return [f"{name}:1 lacks columns, which are read as empty: {listed(absent)}"] if absent else []


def _cells(written: list[str], places: Mapping[str, list[int]]) -> dict[str, str]:
    """Return the cells that are not empty, by our names. If we have one name for several columns, take the first filled cell."""
    cells = {}
    for column, columns in places.items():
        texts = (written[place].strip() for place in columns if place < len(written))
        if text := next(filter(None, texts), ""):
            cells[column] = text
    return cells


def _trouble(written: list[str], cells: Mapping[str, str], width: int) -> str | None:
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
    for name, header in _NAMES.items():
        cell = cells.get(name)
        if cell:
            try:
                numbers[name] = number(cell, header)
            except CellError as problem:
                unread.append(str(problem))
    try:
        when = published(cells.get("published", ""))
    except CellError as problem:
        unread.append(str(problem))
    searchable_texts = {name: notes.searched(cell) for name in TEXTS if (cell := cells.get(name))}
    return Row(source_row, cells | searchable_texts, numbers, when, unread)


_NAMES = {name: READ[name][0].split(" (")[0] for name in NUMBERS}


def name_of(cells: Mapping[str, str]) -> str:
    """Return the model's name in a row, without line breaks."""
    return " ".join(cells[NAME].split())


def row_number(cells: Mapping[str, str], header: str) -> float | None:
    """Return the number in the cell under a header, or None if the cell has no readable number."""
    try:
        return number(cells.get(header) or "", header)
    except CellError:
        return None
