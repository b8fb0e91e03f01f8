"""Columns of `estimates` in the pages' tables: schemas/columns lists them, pipeline/base/text/cells.py formats them."""

from collections.abc import Iterable, Mapping
from typing import Any

from markupsafe import Markup, escape

from pipeline.base.text.cells import cell
from pipeline.site import numbers
from schemas.columns import Column
from schemas.tables import columns_of

HTML = {"flop": numbers.flop, "day": Markup("<span class=day>{}</span>").format}


def used_columns(names: Iterable[str], rows: Iterable[Mapping[str, Any]]) -> dict[str, Column]:
    """Return, by name and in the order of `names`, the columns with a value in at least one row."""
    all_rows = list(rows)
    return {
        name: columns_of("estimates")[name].column
        for name in names
        if any(row.get(name) is not None for row in all_rows)
    }


def heads(columns: Mapping[str, Column]) -> list[str]:
    """Return the heads of these columns for `listing` in templates/parts.html: those of numbers end with " >"."""
    return [
        f"{column.label} >" if column.form in ("count", "energy") else str(column.label) for column in columns.values()
    ]


def cell_html(name: str, row: Mapping[str, Any]) -> Markup:
    """Return a row's value in this column as HTML, or a dash if it is unknown.

    >>> str(cell_html("parameters", {"parameters": 5.4e11})), str(cell_html("name", {"name": "<b>"}))
    ('540B', '&lt;b&gt;')
    """
    column, value = columns_of("estimates")[name].column, row.get(name)
    html = HTML.get(column.form)
    return html(value) if html and value is not None else escape(cell(column, value))
