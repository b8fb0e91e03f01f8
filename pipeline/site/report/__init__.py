"""The release's reports. Each is a template in templates/reports; some have a module with a function that returns their values."""

from collections.abc import Sequence
from typing import Any

Row = dict[str, Any]
# Each page's label and one-sentence description, in the order of the about page.
PAGES = {
    "compute": ("Compute", "How well the two methods agree."),
    "utilization": ("Utilization", "Measured utilization, and networks for which the default is wrong."),
    "methods": (
        "Defaults",
        "Defaults with their sources, limits in numbers, and a map from the columns of Epoch AI to ours.",
    ),
    "imputation": (
        "Imputation",
        "Imputation rules, and their errors on facts that we hid as a test.",
    ),
    "accuracy": (
        "Accuracy",
        "Our estimates compared with those that Epoch AI calculated by hand, and how often intervals hold.",
    ),
    "calibration": (
        "Calibration",
        "How often intervals contain totals stated by others, and the evidence for their width.",
    ),
    "gold": (
        "Gold runs",
        "The error of each way of estimating, for runs whose operations and time are both known.",
    ),
    "costs": (
        "Cost and carbon",
        "Costs and emissions compared with those that Epoch AI and authors state, and the age of prices and grids.",
    ),
    "coverage": ("Coverage", "Models, and the evidence for their facts."),
    "expectations": ("Expectations", "What we expect of a release as a whole, why, and the observed values."),
    "errata": ("Errata", "Published figures that their own factors contradict."),
    "adjudications": (
        "Adjudications",
        "Values that Epoch AI publishes, checked in their sources: the findings, with quotations and arithmetic.",
    ),
    "counters": ("FLOP counters", "When public FLOP counters are right, and when they are wrong."),
    "executed": (
        "Counted, profiled, executed",
        "One training step by formulas, profilers and hardware counters, and the tools that can be run.",
    ),
}


def whole(method_agreement: Sequence[Row]) -> Row:
    """Return the view's row for all domains together."""
    return next(row for row in method_agreement if row["domain"] is None)
