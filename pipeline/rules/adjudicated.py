"""What a value of someone else's table is after adjudication: one lookup for all that compare with such tables."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence

from pipeline.models.sql import Row

SAME = 1e-3  # relative; snapshots have 3300100000000010.0 where a table's reader sees 3.3e15
CELL = re.compile(r"(?P<snapshot>[a-z0-9_]+): (?P<name>.+), (?P<column>[^,]+)")  # as `via` names one
By = Mapping[tuple[str, str], Sequence[Row]]


def by_cell(adjudications: Iterable[Row]) -> By:
    """Rows of table `adjudications` by snapshot and name; a name with other values in its notes has several."""
    found: dict[tuple[str, str], list[Row]] = {}
    for row in adjudications:
        found.setdefault((row["snapshot"], _plain(row["name"])), []).append(row)
    return found


def judged(cells: By, snapshot: str, name: str, flop: float) -> Row | None:
    """The adjudication of this value, in FLOP, of the row `name`; None where it was not adjudicated.

    Its `corrected_flop` is what the value should be; None where it is of another artefact and to be dropped.

    >>> cells = by_cell([{"snapshot": "t", "name": "A", "published_flop": 3.3e15, "corrected_flop": 3.3e18}])
    >>> judged(cells, "t", "A", 3.3001e15)["corrected_flop"]
    3.3e+18
    >>> judged(cells, "t", "A", 5e15) is judged(cells, "t", "B", 3.3e15) is None
    True
    """
    rows = cells.get((snapshot, _plain(name)), ())
    return next((row for row in rows if math.isclose(row["published_flop"], flop, rel_tol=SAME)), None)


def judged_via(cells: By, via: str | None, flop: float) -> Row | None:
    """The same for a cell as records name it: `epoch_models_2025: ELMo, Training compute (FLOP)`."""
    cell = CELL.fullmatch(via or "")
    return judged(cells, cell["snapshot"], cell["name"], flop) if cell else None


def _plain(name: str) -> str:
    # Some cells have no-break spaces or end in a line break, which records and readers of tables lose.
    return " ".join(name.split())
