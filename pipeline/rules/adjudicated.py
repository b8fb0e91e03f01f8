"""Look up how a value in somebody else's table was adjudicated, for all code that compares with such tables."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence

from pipeline.models.sql import Row

SAME = 1e-3  # relative tolerance: a snapshot may contain 3300100000000010.0 where its readers see 3.3e15
CELL = re.compile(r"(?P<snapshot>[a-z0-9_]+): (?P<name>.+), (?P<column>[^,]+)")  # a cell as cited in `via`
By = Mapping[tuple[str, str], Sequence[Row]]


def by_cell(adjudications: Iterable[Row]) -> By:
    """Return the rows of `adjudications` by snapshot and name. A name has several rows if its notes state more values."""
    rows_by_cell: dict[tuple[str, str], list[Row]] = {}
    for row in adjudications:
        rows_by_cell.setdefault((row["snapshot"], _plain(row["name"])), []).append(row)
    return rows_by_cell


def judged(cells: By, snapshot: str, name: str, flop: float) -> Row | None:
    """Return the adjudication of a value (in FLOP) in the row `name` of a snapshot, or None if there is none.

    Its `corrected_flop` is the correct value, or None if the published value belongs to another model and must be
    dropped.

    >>> cells = by_cell([{"snapshot": "t", "name": "A", "published_flop": 3.3e15, "corrected_flop": 3.3e18}])
    >>> judged(cells, "t", "A", 3.3001e15)["corrected_flop"]
    3.3e+18
    >>> judged(cells, "t", "A", 5e15) is judged(cells, "t", "B", 3.3e15) is None
    True
    """
    rows = cells.get((snapshot, _plain(name)), ())
    return next((row for row in rows if math.isclose(row["published_flop"], flop, rel_tol=SAME)), None)


def judged_via(cells: By, via: str | None, flop: float) -> Row | None:
    """Return the adjudication of a cell that is cited as in records: `epoch_models_2025: ELMo, Training compute (FLOP)`."""
    cell = CELL.fullmatch(via or "")
    return judged(cells, cell["snapshot"], cell["name"], flop) if cell else None


def _plain(name: str) -> str:
    # Some cells contain no-break spaces or end in a line break, which neither records nor table readers keep.
    return " ".join(name.split())
