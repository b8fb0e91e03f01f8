"""The utilization explorer: default, predicted band, measured range by kind of network, format and chip, and the nearest measurements."""

from pipeline.site import predictions
from pipeline.site.ledger import Ledger, Row
from pipeline.site.page import Link, Site
from pipeline.site.report.utilization import generation

LINK = Link(4, "utilization.html", "Utilization")


def write(site: Site, ledger: Ledger) -> None:
    """Writes utilization.html and the measurements for its scripts."""
    chips = {row["hardware_id"]: row for row in ledger.rows("hardware")}
    measurements = {(row["measurement_id"], row["row"]): row for row in ledger.rows("measurements")}
    sources = {
        (row["record_id"], row["source"]): row for row in ledger.rows("sources") if row["record_kind"] == "measurements"
    }
    rows = [
        {
            **row,
            "architecture": measurements[row["measurement_id"], row["row"]]["architecture_id"].partition("/")[2],
            "chip": chips[row["hardware_id"]]["name"],
            "line": chips[row["hardware_id"]]["generation"],
            "generation": generation(chips[row["hardware_id"]]["generation"] or ""),
            "from": sources[row["measurement_id"], measurements[row["measurement_id"], row["row"]]["source"]],
        }
        for row in ledger.rows("checks")
        if (row["measurement_id"], row["row"]) in measurements
    ]
    cells = [
        {**row, "line": row["generation"], "generation": generation(row["generation"] or "")}
        for row in ledger.rows("utilization_cells")
    ]
    networks = sorted({row["network"] for row in rows})
    precisions = sorted({row["precision"] for row in rows})
    bands: dict[str, Row] = {}
    for each in predictions.predicted(ledger, networks, precisions):
        bands.setdefault(each.network, {"default": each.default_fraction}).setdefault(each.precision, {})[
            each.hardware_id
        ] = [[_thousandths(end) for end in band] for band in each.bands]
    site.script("data/utilization.js", "predicted", bands)
    highest = max([1.0, *(row["measured_utilization_fraction"] for row in rows)])
    site.page(
        "utilization.html",
        "utilization.html",
        rows=rows,
        cells=cells,
        networks=networks,
        precisions=precisions,
        generations=_by_generation(chips),
        chip_numbers=predictions.CHIPS,
        scale=lambda value: round(100 * value / highest, 2),
    )


def _by_generation(chips: dict[str, Row]) -> list[tuple[str, str, list[Row]]]:
    """Generations with their names and their chips, those without one last."""
    groups: dict[str, list[Row]] = {}
    for chip in sorted(chips.values(), key=lambda row: row["name"].lower()):
        groups.setdefault(chip["generation"] or "", []).append(chip)
    ordered = sorted(groups.items(), key=lambda each: (not each[0], each[0]))
    return [(name, generation(name) or "Other", own) for name, own in ordered]


def _thousandths(fraction: float) -> float:
    return float(f"{100 * fraction:.3g}")  # per cent
