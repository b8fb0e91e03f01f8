"""The thresholds of the European Commission's guidelines: both of its approaches per model, with what they assume."""

from pipeline.site.ledger import Ledger, Row
from pipeline.site.page import Site

LEAST = 0.05  # probability of being above the first threshold from which on a model is listed
WITHIN = 1.3  # the guidelines ask for an estimate right within 30 %


def write(site: Site, ledger: Ledger) -> None:
    """Writes eu.html."""
    chance = "probability_above_1e23_fraction"
    rows = sorted((row for row in ledger.models if (row[chance] or 0) >= LEAST), key=lambda row: (-(row["training_flop"] or 0), row["model_id"]))  # fmt: skip
    known = [row for row in ledger.models if row["training_flop"] is not None]
    site.page(
        "eu.html",
        "eu.html",
        rows=[{**row, "parts": _hardware(row, ledger), "is_within": _is_within(row)} for row in rows],
        counts=[(limit, *_counts(known, f"probability_above_{name}_fraction")) for limit, name in ((1e23, "1e23"), (1e25, "1e25"))],
        within=sum(map(_is_within, known)),
        known=len(known),
    )  # fmt: skip


def _counts(rows: list[Row], name: str) -> tuple[int, int]:
    """How many are above with at least 95 %, and how many are undecided."""
    return sum(row[name] > 0.95 for row in rows), sum(0.05 <= row[name] <= 0.95 for row in rows)


def _is_within(row: Row) -> bool:
    return (
        row["training_flop_high"] / row["training_flop"] <= WITHIN
        and row["training_flop"] / row["training_flop_low"] <= WITHIN
    )


def _hardware(row: Row, ledger: Ledger) -> list[Row]:
    """N × L, H and U of the hardware-based approach, base models included: chip-seconds, their peak, the utilization; where all are known."""
    parts = [part["part_id"] for part in ledger.of("lineages", "model_id", row["model_id"])]
    return [each for part in sorted(parts) for each in _of_part(part, ledger)]


def _of_part(part: str, ledger: Ledger) -> list[Row]:
    filled = {(own["phase"], own["allocation"]): own for own in ledger.of("completed_allocations", "model_id", part)}
    seconds = {place: own["chip_seconds"] for place, own in filled.items()}
    return [
        {
            "part": part,
            "chip_seconds": seconds[row["phase"], row["allocation"]],
            "peak": row["chip_peak_flop"] / seconds[row["phase"], row["allocation"]],
            "utilization": row["utilization_fraction"],
        }
        for row in ledger.of("gpu_time_estimates", "model_id", part)
        if row["chip_peak_flop"] is not None and seconds.get((row["phase"], row["allocation"]))
    ]
