"""The costs page: what costs are based on, and how they compare with what others state."""

from collections.abc import Sequence

from pipeline.site.report import Row
from schemas.vocabulary import CostBasis


def page(cost_comparison: Sequence[Row], estimates: Sequence[Row]) -> Row:
    """Return the page's values from the tables that its arguments name."""
    bases = [row["cost_basis"] for row in estimates]
    compared = [row for row in cost_comparison if row["cost_ratio"] is not None]
    return {
        "far": [row for row in compared if row["difference"]],
        "near": [row for row in compared if not row["difference"]],
        "unmatched": sum(row["epoch_cost_usd"] is not None and row["cost_ratio"] is None for row in cost_comparison),
        "bases": {word.words: bases.count(word.value) for word in CostBasis if word.value in bases},
    }
