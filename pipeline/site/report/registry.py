"""Every report drawn from tables and facts of the release that its function `page` names as arguments."""

from collections.abc import Callable, Mapping
from importlib import import_module
from inspect import signature
from types import ModuleType
from typing import Any

from pipeline.site.report import PAGES, Row

MODULES: dict[str, ModuleType] = {name: import_module(f"pipeline.site.report.{name}") for name in PAGES}


def arguments(page: ModuleType) -> list[str]:
    """Arguments of the page's function `page`: names of tables and of values of the release."""
    return list(signature(page.page).parameters)


def drawn(rows: Callable[[str], list[Row]], release: Mapping[str, Any]) -> dict[str, Row]:
    """What each page shows, by its name. `rows` returns the rows of a table; `release` has the other values."""
    return {
        name: page.page(**{each: release[each] if each in release else rows(each) for each in arguments(page)})
        for name, page in MODULES.items()
    }
