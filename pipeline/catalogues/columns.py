"""Which columns of Epoch's table are read, under which names; all others are dropped here.

The adapter estimates training compute, so columns with Epoch's own result, or derived from it, are not read:
training compute with its notes and bounds, compute of fine-tuning and post-training with notes, the estimation method,
costs, utilizations with their notes, the frontier flag, the compute rank.
"""

from collections.abc import Mapping
from typing import NamedTuple

from pipeline.catalogues import notes
from pipeline.catalogues.cells import LONGEST_CELL, CatalogueError, Line, Sheet, listed
from pipeline.catalogues.quantities import CellError, number, published

NAME, PUBLISHED = "Model", "Publication date"
# Our name of each column that is read, and its headers, of 2025 and of 2026.
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
    "datapoints": ("Training dataset size (datapoints)", "Training dataset size (total)"),
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
}
LONGEST_SHOWN = 200  # characters of a cell of a row that could not be read
IS_TOTAL = "is_total"  # "yes" where the column of data points counts what the notes add to it
NEEDED = ("name", "published", "domain", "parameters", "datapoints", "hardware")
NUMBERS = ("parameters", "datapoints", "epochs", "batch", "hours", "chip_hours", "chips")
TEXTS = ("task", "link", "parameters_notes", "datapoints_notes", "batch_notes", "hours_notes")  # patterns run over them
# Known and unread: Epoch's own result and what follows from it.
HIDDEN = (
    "Training compute (FLOP)",
    "Training compute notes",
    "Training compute lower bound",
    "Training compute upper bound",
    "Training compute estimation method",
    "Finetune compute (FLOP)",
    "Finetune compute notes",
    "Post-training compute (FLOP)",
    "Post-training compute notes",
    "Training compute cost (2023 USD)",
    "Training compute cost (cloud)",
    "Training compute cost (upfront)",
    "Compute cost notes",
    "Hardware acquisition cost",
    "Hardware utilization (MFU)",
    "Hardware utilization (HFU)",
    "Utilization notes",
    "Compute rank when published",
    "Frontier model",
    "Confidence",
    "Training power draw (W)",
)
# Known and of no use here.
UNUSED = (
    "Training dataset notes",
    "Reference",
    "Notability criteria",
    "Notability criteria notes",
    "Approach",
    "Model accessibility",
    "Accessibility notes",
    "Country (of organization)",
    "Training cloud compute vendor",
    "Training data center",
    "Foundation model",
    "Training code accessibility",
    "Inference code accessibility",
    "Open model weights?",
    "Abstract",
    "Authors",
    "Citations",
    "Last modified",
    "Created By",
    "Benchmark data",
)


class Row(NamedTuple):
    """One row: the cells that are read and not empty, by our names of their columns.

    `numbers` holds what those of NUMBERS say, `published` the date; `unread` has a sentence for each that says nothing readable.
    """

    source_row: int
    cells: dict[str, str]
    numbers: dict[str, float]
    published: str | None
    unread: list[str]

    def __getitem__(self, name: str) -> str:  # type: ignore[override]
        return self.cells.get(name, "")

    def number(self, name: str) -> float | None:
        """The number of a cell of NUMBERS; None where it is empty or cannot be read."""
        return self.numbers.get(name)

    def bad(self, reason: str) -> "Bad":
        """The row as one that could not be read."""
        return Bad.of(self.source_row, self.cells, reason)

    @property
    def name(self) -> str:
        """The model's name on one line."""
        return " ".join(self["name"].split())


class Bad(NamedTuple):
    """A row that could not be read, and why; `cells` are those that are read and not empty."""

    source_row: int
    name: str
    reason: str
    cells: dict[str, str]

    @classmethod
    def of(cls, source_row: int, cells: dict[str, str], reason: str) -> "Bad":
        """A row of these cells, of which only the beginnings are kept."""
        name = " ".join(cells.get("name", "").split())[:LONGEST_SHOWN]
        return cls(source_row, name, reason, {key: cell[:LONGEST_SHOWN] for key, cell in cells.items()})


class Rows(NamedTuple):
    """The rows of a sheet that can be read, those that cannot, and remarks on columns."""

    rows: list[Row]
    bad: list[Bad]
    remarks: list[str]


def rows_of(sheet: Sheet, name: str) -> Rows:
    """The rows of a sheet with the columns that are read. Raises CatalogueError where needed columns are missing."""
    columns = Columns(sheet.header, name)
    rows: list[Row] = []
    bad: list[Bad] = []
    for line in sheet.lines:
        found = columns.row(line)
        rows.append(found) if isinstance(found, Row) else bad.append(found)
    return Rows(rows, bad, columns.remarks)


class Columns:
    """Where the columns that are read stand in a sheet, and remarks on its columns."""

    def __init__(self, header: list[str], name: str) -> None:
        """Raises CatalogueError where needed columns are missing from the header of the file `name`."""
        places = {own: [header.index(h) for h in headers if h in header] for own, headers in READ.items()}
        missing = [" or ".join(map(repr, READ[own])) for own in NEEDED if not places[own]]
        if missing:
            raise CatalogueError(f"{name}:1 lacks the column {', '.join(missing)}; is it Epoch's table of models?")
        self.remarks = []
        absent = [READ[own][0] for own, found in places.items() if not found]
        if absent:
            self.remarks.append(f"{name}:1 lacks columns, which are read as empty: {listed(absent)}")
        known = {header for headers in READ.values() for header in headers} | {*HIDDEN, *UNUSED, ""}
        unknown = [header for header in header if header not in known]
        if unknown:
            self.remarks.append(f"{name}:1 has columns that are not known and not read: {listed(unknown)}")
        self._width = len(header)
        self._places = [(own, found[0], found[1:]) for own, found in places.items() if found]
        # The table of 2026 counts words as tokens already; that of 2025 says [WORDS] in the note.
        self._of_all = {IS_TOTAL: "yes"} if header[places["datapoints"][-1]].endswith("(total)") else {}

    def row(self, line: Line) -> "Row | Bad":
        """The row of a line, or why it cannot be read."""
        cells = self._cells(line.cells)
        reason = self._trouble(line.cells, cells)
        return Bad.of(line.source_row, cells, reason) if reason else row_of(line.source_row, cells)

    def _cells(self, written: list[str]) -> dict[str, str]:
        found = self._of_all.copy()
        if len(written) < self._width:
            written = written + [""] * (self._width - len(written))
        for own, place, others in self._places:
            text = written[place].strip()
            if others and not text:
                text = next((cell for other in others if (cell := written[other].strip())), "")
            if text:
                found[own] = text
        return found

    def _trouble(self, written: list[str], cells: dict[str, str]) -> str | None:
        if len(written) != self._width:
            return f"has {len(written)} cells where the header has {self._width}"
        if "name" not in cells:
            return "has no name"
        if max(map(len, cells.values())) > LONGEST_CELL:
            own = next(own for own, cell in cells.items() if len(cell) > LONGEST_CELL)
            return f"{READ[own][0]!r} has {len(cells[own]):,} characters; at most {LONGEST_CELL:,} are read"
        return None


def row_of(source_row: int, cells: dict[str, str]) -> Row:
    """The row of these cells; a cell that cannot be read costs itself, not its row."""
    numbers, when, unread = {}, None, []
    for name, said in _SAID.items():
        cell = cells.get(name)
        if cell:
            try:
                numbers[name] = number(cell, said)
            except CellError as problem:
                unread.append(str(problem))
    try:
        when = published(cells.get("published", ""))
    except CellError as problem:
        unread.append(str(problem))
    bounded = {name: notes.searched(cell) for name in TEXTS if (cell := cells.get(name))}
    return Row(source_row, cells | bounded, numbers, when, unread)


_SAID = {name: READ[name][0].split(" (")[0] for name in NUMBERS}


def row_number(cells: Mapping[str, str], header: str) -> float | None:
    """The number in the cell of a header; None where there is none that can be read."""
    try:
        return number(cells.get(header) or "", header)
    except CellError:
        return None
