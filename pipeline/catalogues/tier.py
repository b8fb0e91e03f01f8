"""The catalogue tier: rows of `catalogue_estimates`, made from a snapshot's estimates."""

from collections.abc import Iterator
from typing import Any

from pipeline.catalogues.estimates import ESTIMATE_COLUMNS, Estimated

# For a row with a record, only these columns are filled, because the record has the numbers.
OF_ROW = ("source_row", "epoch_tables", "model_id", "name", "organization", "domain", "published", "unread_cells")
RECORDED = "the model has a record"
UNREAD = "the row cannot be read: "


def catalogue_rows(estimated: Estimated) -> Iterator[dict[str, Any]]:
    """Yield one row per row of the snapshot. One that has a record or cannot be read has a reason, no numbers."""
    empty = dict.fromkeys(ESTIMATE_COLUMNS)
    for row in estimated.estimates:
        if row["model_id"] is None:
            yield {name: row[name] for name in ESTIMATE_COLUMNS}
        else:
            yield empty | {name: row[name] for name in OF_ROW} | {"no_estimate_reason": RECORDED}
    for bad in estimated.bad:
        yield empty | {
            "source_row": bad.source_row, "epoch_tables": bad.cells["epoch_tables"], "name": bad.name or "(no name)",
            "domain": "other",
            "no_estimate_reason": f"{UNREAD}{bad.reason}",
        }  # fmt: skip
