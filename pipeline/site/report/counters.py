"""The counters page: public FLOP counters against a count by hand."""

from collections.abc import Sequence

from pipeline.measure.audit import page as audit
from pipeline.measure.audit.cases import CASES
from pipeline.measure.audit.counters import COUNTERS
from pipeline.site.report import Row


def page(counters: Sequence[Row]) -> Row:
    """What the page shows, from the rows of counters.csv as text."""
    return {"body": audit.body(counters, CASES, COUNTERS) if counters else None}
