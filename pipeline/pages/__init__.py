"""Pages of data/published/report: one module a page, which turns rows of tables into what its template shows.

A page is one file that opens offline: no script, font or style from elsewhere, light and dark, readable without colour.
"""

from pathlib import Path
from typing import Any

import jinja2

Row = dict[str, Any]
PAGES = Path(__file__).resolve().parent


def magnitude(number: float | None) -> str:
    """A number as people read it: 3.14e23 in full digits below a million, nothing where it is unknown.

    >>> magnitude(3.14159e23), magnitude(1234.0), magnitude(None)
    ('3.14e+23', '1,234', '')
    """
    if number is None:
        return ""
    return (
        f"{number:.3g}"
        if abs(number) >= 1e6 or abs(number) < 1
        else f"{number:,.4g}"
        if number < 1e3
        else f"{number:,.0f}"
    )


def percent(part: float, whole: float) -> str:
    """A share in whole per cent; a dash where there is nothing to share.

    >>> percent(1, 3), percent(0, 0)
    ('33 %', '–')
    """
    return f"{100 * part / whole:.0f} %" if whole else "–"


def render(page: str, **shown: Any) -> str:
    """The page of this name; text of records is escaped, a name that a template lacks is an error."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(PAGES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["magnitude"] = magnitude
    environment.globals["percent"] = percent
    return environment.get_template(f"{page}.html").render(**shown)
