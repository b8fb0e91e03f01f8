"""The utilization explorer: default, measured median and range by kind of network, format and generation of chips, and the nearest measurements."""

from pipeline.site.ledger import Ledger
from pipeline.site.page import Site
from pipeline.site.report.utilization import generation


def write(site: Site, ledger: Ledger) -> None:
    """Writes utilization.html and the measurements for its scripts."""
    chips = {row["hardware_id"]: row for row in ledger.rows("hardware")}
    measurements = {(row["measurement_id"], row["row"]): row for row in ledger.rows("measurements")}
    sources = {
        row["record_id"]: row for row in reversed(ledger.rows("sources")) if row["record_kind"] == "measurements"
    }
    rows = [
        {
            **row,
            "architecture": measurements[row["measurement_id"], row["row"]]["architecture_id"].rpartition("/")[2],
            "chip": chips[row["hardware_id"]]["name"],
            "generation": generation(chips[row["hardware_id"]]["generation"] or ""),
            "from": sources.get(row["measurement_id"]),
        }
        for row in ledger.rows("checks")
        if (row["measurement_id"], row["row"]) in measurements
    ]
    cells = [{**row, "generation": generation(row["generation"] or "")} for row in ledger.rows("utilization_cells")]
    highest = max([1.0, *(row["measured_utilization_fraction"] for row in rows)])
    site.page(
        "utilization.html",
        "utilization.html",
        rows=rows,
        cells=cells,
        networks=sorted({row["network"] for row in rows}),
        precisions=sorted({row["precision"] for row in rows}),
        generations=sorted({row["generation"] for row in rows}),
        scale=lambda value: round(100 * value / highest, 2),
    )
