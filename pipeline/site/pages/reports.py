"""The release's reports, one page each, made from published tables, views of them, and summaries."""

from collections.abc import Callable, Mapping
from importlib import import_module
from inspect import signature
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from pipeline.site import report
from pipeline.site.ledger import Ledger, Row
from pipeline.site.page import Site
from pipeline.site.report import PAGES

# The modules of reports that calculate what their templates show.
MODULES: dict[str, ModuleType] = {
    module.name: import_module(f"{report.__name__}.{module.name}")
    for module in iter_modules(report.__path__)
    if module.name in PAGES
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


def shown(name: str, rows: Callable[[str], list[Row]], values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what a report's template shows in addition to tables: the result of its module's function `page`, or `values` if it has none.

    An argument of `page` names one of `values`, or a table or view, whose rows `rows` returns.
    """
    if name not in MODULES:
        return values
    arguments = signature(MODULES[name].page).parameters
    result: Row = MODULES[name].page(**{key: values[key] if key in values else rows(key) for key in arguments})
    return result
