"""The release's reports, one page each, made from published tables, views of them, and summaries."""

from typing import Any

from pipeline.site.ledger import Ledger
from pipeline.site.page import Site
from pipeline.site.report import PAGES, registry


def write(site: Site, ledger: Ledger) -> None:
    """Write reports/<name>.html for every report."""
    values = release(ledger)
    for name in PAGES:
        page = f"reports/{name}.html"
        site.page(page, page, **registry.shown(name, ledger.rows, values))


def release(ledger: Ledger) -> dict[str, Any]:
    """Return, by name, the values that reports show in addition to tables and views."""
    return {
        "near_ratio": ledger.params.check.near_ratio,
        "dispute_ratio": ledger.params.reconcile.dispute_ratio,
        "expectations": ledger.summary("expectations") or [],
        "accuracy": ledger.summary("accuracy"),
        "calibration": ledger.summary("calibration"),
        "counters": ledger.report_rows("counters"),
        "timings": ledger.report_rows("timings"),
    }
