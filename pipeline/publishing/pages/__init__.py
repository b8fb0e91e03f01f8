"""Pages of data/published/report: one module a page, which turns rows of tables into the values of its template.

A page is one file that opens offline: no script, font or style from elsewhere, light and dark, readable without colour.
"""

from pathlib import Path
from typing import Any

import jinja2

Row = dict[str, Any]
TEMPLATES = Path(__file__).resolve().parent
# Every page with its label in the navigation and a sentence of description; the first page lists them too.
PAGES = {
    "index": ("Ledger", "Contents of the ledger in numbers, and the list of pages."),
    "compute": ("Compute", "Training compute over time, and the agreement of the two methods."),
    "utilization": ("Utilization", "Measured utilization, and networks for which the default is wrong."),
    "methods": (
        "Methods",
        "Equations, defaults with their sources, limits in numbers, how to cite.",
    ),
    "imputation": (
        "Imputation",
        "Rules of imputation, their errors on facts hidden for the test, and the coverage of intervals.",
    ),
    "accuracy": (
        "Accuracy",
        "Our estimates compared with those that Epoch AI worked out by hand, and the coverage of intervals.",
    ),
    "calibration": (
        "Calibration",
        "How well stated inputs are known, how often an estimate errs grossly, and how often intervals hold.",
    ),
    "coverage": ("Coverage", "Models, the evidence of their facts, and missing facts."),
    "expectations": ("Expectations", "Expectations of a release as a whole, their reasons, and the observed values."),
    "errata": ("Errata", "Published figures that their own factors contradict."),
    "adjudications": (
        "Adjudications",
        "Values that Epoch AI publishes, judged by their sources: what was found, with the words and the arithmetic.",
    ),
    "counters": ("FLOP counters", "Where public FLOP counters are right and wrong."),
}
# by `make accuracy`, `make fit-uncertainty` and `make audit`; the pipeline makes the others
MADE_ELSEWHERE = {"accuracy", "calibration", "counters"}


def magnitude(number: float | None) -> str:
    """A number as text: 3 digits with an exponent, in full below a million; empty where it is unknown.

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


def times(ratio: float) -> str:
    """A factor as text.

    >>> times(2), times(1.75)
    ('2×', '1.75×')
    """
    return f"{ratio:g}×"


def percent(part: float, whole: float) -> str:
    """A share in whole per cent; a dash where `whole` is 0.

    >>> percent(1, 3), percent(0, 0)
    ('33 %', '–')
    """
    return f"{100 * part / whole:.0f} %" if whole else "–"


def render(page: str, **shown: Any) -> str:
    """The page of this name, as HTML. Text of records is escaped; a name missing in `shown` raises jinja2.UndefinedError."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["magnitude"] = magnitude
    environment.globals.update(percent=percent, all_pages=PAGES, this_page=page)
    return environment.get_template(f"{page}.html").render(**shown)
