"""The reports of the release: a template in templates/reports, with the values of its module or the rows of OF_ROWS."""

from collections.abc import Sequence
from typing import Any

Row = dict[str, Any]
# The label and a one-sentence description of each page, in the order of the about page.
PAGES = {
    "compute": ("Compute", "The agreement of the two methods."),
    "utilization": ("Utilization", "Measured utilization, and networks for which the default is wrong."),
    "methods": ("Defaults", "Defaults with their sources, limits in numbers, and the columns of Epoch AI."),
    "imputation": (
        "Imputation",
        "Rules of imputation, and their errors on facts hidden for the test.",
    ),
    "accuracy": (
        "Accuracy",
        "Our estimates compared with those that Epoch AI worked out by hand, and the coverage of intervals.",
    ),
    "calibration": (
        "Calibration",
        "How often intervals hold what others state, and what sets their width.",
    ),
    "gold": (
        "Gold runs",
        "How wrong each way of estimating is where operations and time are both known.",
    ),
    "costs": (
        "Cost and carbon",
        "Costs and emissions beside those that Epoch AI and authors state, and how old prices and grids are.",
    ),
    "coverage": ("Coverage", "Models, and the evidence of their facts."),
    "expectations": ("Expectations", "Expectations of a release as a whole, their reasons, and the observed values."),
    "errata": ("Errata", "Published figures that their own factors contradict."),
    "adjudications": (
        "Adjudications",
        "Values that Epoch AI publishes, judged by their sources: what was found, with the words and the arithmetic.",
    ),
    "watchdog": (
        "Notes computed again",
        "Equations in the notes of another table that do not agree with their result or their row.",
    ),
    "counters": ("FLOP counters", "Where public FLOP counters are right and wrong."),
    "executed": (
        "Counted, profiled, executed",
        "What formulas, profilers and hardware counters say of one training step, and what can be run.",
    ),
}

# Pages without a module: the table, view or value of the release that their template shows.
OF_ROWS = {"errata": "errata_by_size", "expectations": "expectations", "watchdog": "note_findings"}


def whole(method_agreement: Sequence[Row]) -> Row:
    """Return the row of the view for all domains together."""
    return next(row for row in method_agreement if row["domain"] is None)
