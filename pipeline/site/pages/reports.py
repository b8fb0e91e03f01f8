"""Reports of the release: a page each, drawn from published tables and summaries."""

from typing import Any

from pipeline.records import params
from pipeline.site.ledger import Ledger
from pipeline.site.page import Site
from pipeline.site.report import registry

RELEASE = {"version", "near_ratio", "dispute_ratio", "expectations", "accuracy", "calibration", "counters"}


def write(site: Site, ledger: Ledger) -> None:
    """Writes reports/<name>.html for every report."""
    for name, shown in registry.drawn(ledger.rows, release(site.version, ledger)).items():
        site.page(f"reports/{name}.html", f"reports/{name}.html", **shown)


def release(version: str, ledger: Ledger) -> dict[str, Any]:
    """What reports show beside tables: values by the names in RELEASE."""
    chosen = params.load()
    return {
        "version": version,
        "near_ratio": chosen.check.near_ratio,
        "dispute_ratio": chosen.reconcile.dispute_ratio,
        "expectations": ledger.summary("expectations") or [],
        "accuracy": ledger.summary("accuracy"),
        "calibration": ledger.summary("calibration"),
        "counters": ledger.report_rows("counters"),
    }
