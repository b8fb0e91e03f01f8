"""The reports of the release: one module a page, which turns rows of tables into the values of its template in templates/reports."""

from collections.abc import Sequence
from typing import Any

Row = dict[str, Any]
# Every page with its label and a sentence of description, in the order in which the first lists them.
PAGES = {
    "index": ("In numbers", "Contents of the ledger in numbers, and the list of reports."),
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
    "coverage": ("Coverage", "Models, the evidence of their facts, and missing facts."),
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


def whole(method_agreement: Sequence[Row]) -> Row:
    """The row of the view of all domains together."""
    return next(row for row in method_agreement if row["domain"] is None)
