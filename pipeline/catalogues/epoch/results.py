"""Read Epoch's own results, which are shown next to ours and used in back-tests. No estimate reads them."""

from collections.abc import Iterator
from typing import Any

from pipeline.catalogues.epoch.columns import name_of
from pipeline.catalogues.sheets import Sheet
from schemas.vocabulary import StatedConfidence

RESULTS = {  # our names for Epoch's results
    "epoch_flop": "Training compute (FLOP)",
    "epoch_cost_usd": "Training compute cost (2023 USD)",
    "epoch_cloud_usd": "Training compute cost (cloud)",
    "epoch_upfront_usd": "Training compute cost (upfront)",
    "eci": "eci",
    "eci_low": "eci_ci_low",
    "eci_high": "eci_ci_high",
}


def rows(sheet: Sheet) -> Iterator[dict[str, Any]]:
    """Yield the rows with compute, a cost or a capabilities index above zero; Epoch often writes zero for unknown."""
    for line in sheet.lines:
        cells = dict(zip(sheet.header, line.cells, strict=False))
        results = {name: _amount(cells.get(column)) for name, column in RESULTS.items()}
        if any(results.values()):
            hours, chips = _amount(cells.get("Training time (hours)")), _amount(cells.get("Hardware quantity"))
            confidence = cells.get("Confidence", "").strip().lower()
            yield {
                "source_row": line.source_row,
                "name": name_of(cells),
                **results,
                "epoch_confidence": confidence if confidence in {*StatedConfidence} else None,
                "epoch_chip_hours": hours * chips if hours and chips else None,
                "cost_note": " ".join(cells.get("Compute cost notes", "").split())[:500] or None,
            }


def _amount(cell: str | None) -> float | None:
    try:
        return float(cell or "") or None
    except ValueError:
        return None
