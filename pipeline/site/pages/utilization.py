"""The utilization explorer: default, prediction, measured range and nearest cases by network, precision, chip."""

from pipeline.site import predictions
from pipeline.site.ledger import Ledger, Row
from pipeline.site.page import Link, Site

LINK = Link(4, "utilization.html", "Utilization")


def write(site: Site, ledger: Ledger) -> None:
    """Write utilization.html, and data/utilization.js with the predictions."""
    rows = ledger.rows("measured_rows")
    networks = sorted({row["network"] for row in rows})
    precisions = sorted({row["precision"] for row in rows})
    bands: dict[str, Row] = {}
    for case in predictions.predictions(ledger, networks, precisions):
        network_bands = bands.setdefault(case.network, {"default": case.default_fraction})
        ends = [[float(f"{100 * end:.3g}") for end in band] for band in case.bands]  # per cent
        network_bands.setdefault(case.precision, {})[case.hardware_id] = ends
    site.script("data/utilization.js", "predicted", bands)
    highest = max([1.0, *(row["measured_utilization_fraction"] for row in rows)])
    site.page(
        "utilization.html",
        "utilization.html",
        rows=rows,
        networks=networks,
        precisions=precisions,
        generations=_by_generation(ledger.rows("hardware")),
        chip_numbers=predictions.CHIPS,
        highest=highest,
        scale=lambda value: round(100 * value / highest, 2),
    )


def _by_generation(chips: list[Row]) -> list[tuple[str, list[Row]]]:
    """Return the generations with their chips, and last the chips without a generation."""
    groups: dict[str, list[Row]] = {}
    for chip in sorted(chips, key=lambda row: row["name"].lower()):
        groups.setdefault(chip["generation"] or "", []).append(chip)
    return sorted(groups.items(), key=lambda group: (not group[0], group[0]))
