"""The release's reports, one page each, made from published tables, views of them, and summaries."""

from functools import partial
from typing import Any

from pipeline.publishing.crosswalk import CROSSWALK
from pipeline.rules.utilization import batch
from pipeline.site.ledger import Ledger, Row
from pipeline.site.page import Site
from pipeline.site.report import REPORTS, charts, words

# Counts of the view release_counts, in the order of the page on coverage.
CONTENTS = {
    "models": "models",
    "both_methods": "with both methods",
    "both_methods_seen": "with both methods and all facts of training quoted or from a table",
    "both_methods_all_seen": "the same, and every number of the network quoted or from a table",
    "counted": "with an architecture, counted layer by layer",
    "reported": "with training compute reported by the authors",
    "several_parts": "with several phases or allocations",
    "tuned": "fine-tuned from a base model in the ledger",
    "disputed": "whose methods are disputed",
    "externally_estimated": "with an external estimate",
    "hardware": "chips",
    "measurements": "measured throughputs",
}


def write(site: Site, ledger: Ledger) -> None:
    """Write reports/<name>.html for every report."""
    values = report_values(ledger)
    for name in REPORTS:
        site.page(f"reports/{name}.html", f"reports/{name}.html", **values)


def report_values(ledger: Ledger) -> dict[str, Any]:
    """Return, by name, the values that reports show in addition to tables and views."""
    release: Row = {
        "near_ratio": ledger.params.check.near_ratio,
        "dispute_ratio": ledger.params.reconcile.dispute_ratio,
        "expectations": ledger.summary("expectations") or [],
        "accuracy": ledger.summary("accuracy") or {"files": [], "coverage": []},
        "calibration": ledger.summary("calibration") or {"coverage": [], "numbers": [], "log_scores": []},
        "counter_summary": ledger.summary("counters") or [],
        "counters": ledger.report_rows("counters"),
        "equal_flop": ledger.report_rows("equal_flop"),
        "batch_sentence": batch.sentence(ledger.rows("batch_pairs")),
        "utilization_defaults": sorted(
            {row["default_value"] for row in ledger.rows("defaults") if row["quantity"] == "utilization"}
        ),
        "chip_names": {row["hardware_id"]: row["name"] for row in ledger.rows("hardware")},
        "crosswalk": CROSSWALK,
        "release_contents": CONTENTS,
        "words": words,
        "network": words.network,
    }
    return release | {"chart": partial(charts.draw, rows=ledger.rows, values=release)}
