"""Call a report's function `page` with the release's tables, views and values that its arguments name."""

from collections.abc import Callable, Mapping
from importlib import import_module
from inspect import signature
from types import ModuleType
from typing import Any

from pipeline.site.report import OF_ROWS, PAGES, Row

MODULES: dict[str, ModuleType] = {name: import_module(f"{__package__}.{name}") for name in PAGES if name not in OF_ROWS}


def arguments(page: ModuleType) -> list[str]:
    """Return the arguments of the module's function `page`, which name the release's tables, views and values."""
    return list(signature(page.page).parameters)


def shown(name: str, rows: Callable[[str], list[Row]], release: Mapping[str, Any]) -> Row:
    """Return a report's values. `rows` returns the rows of a table or view; `release` holds the other values."""
    wanted = [OF_ROWS[name]] if name in OF_ROWS else arguments(MODULES[name])
    values = {argument: release[argument] if argument in release else rows(argument) for argument in wanted}
    return values if name in OF_ROWS else dict(MODULES[name].page(**values))
