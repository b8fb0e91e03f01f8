"""The release's reports, one page each, made from published tables, views of them, and summaries."""

from collections.abc import Callable, Mapping
from importlib import import_module
from inspect import signature
from types import ModuleType
from typing import Any

from pipeline.site import report
from pipeline.site.ledger import Ledger, Row
from pipeline.site.page import Site
from pipeline.site.report import OF_ROWS, PAGES

MODULES: dict[str, ModuleType] = {
    name: import_module(f"{report.__name__}.{name}") for name in PAGES if name not in OF_ROWS
}


def write(site: Site, ledger: Ledger) -> None:
    """Write reports/<name>.html for every report."""
    values = release(ledger)
    for name in PAGES:
        page = f"reports/{name}.html"
        site.page(page, page, **shown(name, ledger.rows, values))


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


def shown(name: str, rows: Callable[[str], list[Row]], values: Mapping[str, Any]) -> Row:
    """Return a report's values: those in OF_ROWS, or those that its module makes from the arguments of its function `page`.

    An argument names one of `values`, or a table or view, whose rows `rows` returns.
    """
    page = MODULES[name].page if name in MODULES else None
    names = signature(page).parameters if page else [OF_ROWS[name]]
    arguments = {argument: values[argument] if argument in values else rows(argument) for argument in names}
    return dict(page(**arguments)) if page else arguments
