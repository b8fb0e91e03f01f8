"""The ledger in numbers of its tables, and the list of reports."""

from collections.abc import Sequence

from pipeline.site.numbers import times
from pipeline.site.report import PAGES, Row, whole


def page(
    release_counts: Sequence[Row], fact_evidence: Sequence[Row], method_agreement: Sequence[Row], headline_methods: Sequence[Row],
    imputation_numbers: Sequence[Row], utilization_backtest_errors: Sequence[Row], near_ratio: float, dispute_ratio: float,
) -> Row:  # fmt: skip
    """What the page shows, from the release's thresholds and views that its arguments are named after."""
    (counts,), (hidden,) = release_counts, imputation_numbers
    return {
        "counts": counts,
        "facts": fact_evidence[0],
        "agreement": whole(method_agreement),
        "hidden": hidden,
        "tested": next((row for row in utilization_backtest_errors if row["network"] is None), None),
        "headlines": headline_methods,
        "pages": PAGES,
        "near": times(near_ratio),
        "apart": times(dispute_ratio),
    }
