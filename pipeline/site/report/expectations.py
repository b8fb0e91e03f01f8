"""The expectations page: expectations of the release as a whole, their reasons, and the observed values."""

from collections.abc import Sequence

from pipeline.site.report import Row


def page(expectations: Sequence[Row]) -> Row:
    """What the page shows, from rows of table, expectation, reason, observed, is_kept and is_required, in their order."""
    return {"evaluated": expectations, "kept": sum(row["is_kept"] for row in expectations)}
