"""The pages that the pipeline makes: one entry a page. Other commands make those of `MADE_ELSEWHERE`."""

from collections.abc import Callable, Mapping
from inspect import signature
from types import ModuleType
from typing import Any

from pipeline.publishing.pages import (
    Row,
    adjudications,
    compute,
    coverage,
    errata,
    expectations,
    imputation,
    index,
    methods,
    utilization,
)

PAGES: tuple[ModuleType, ...] = (
    adjudications, compute, coverage, errata, expectations, imputation, index, methods, utilization,
)  # fmt: skip


def name_of(page: ModuleType) -> str:
    """The page's file without its ending: the name of its module.

    >>> name_of(compute)
    'compute'
    """
    return page.__name__.rpartition(".")[2]


def arguments(page: ModuleType) -> list[str]:
    """Arguments of the page's function `page`: names of tables and of values of the release."""
    return list(signature(page.page).parameters)


def drawn(rows: Callable[[str], list[Row]], release: Mapping[str, Any]) -> dict[str, str]:
    """Every page as HTML by its name. `rows` returns the rows of a table; `release` has the other values."""
    named = {name for page in PAGES for name in arguments(page)} - set(release)
    known = {**release, **{name: rows(name) for name in sorted(named)}}
    return {name_of(page): page.page(**{name: known[name] for name in arguments(page)}) for page in PAGES}
