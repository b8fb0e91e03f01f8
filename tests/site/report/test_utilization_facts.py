"""What the page on utilization works out from rows."""

import pytest

from pipeline.site.report import utilization_facts as facts
from tests.site.report.builders import NEAR, measured_row


def test_errors_and_coverage_by_hand():
    # 0.1 and 0.2 against 0.4 are off by 4 and 2, the middle by 1.5; both lie in their band
    rows = [measured_row("a", 0.1), measured_row("b", 0.2, source="other")]
    own, every = facts.backtests(rows, NEAR)
    assert own["default_factor"] == pytest.approx(8**0.5)
    assert own["middle_factor"] == pytest.approx(1.5)
    assert (own["default_near"], own["middle_near"], own["covered"], own["sources"]) == (0.5, 1.0, 1.0, 2)
    assert {**own, "family": "all"} == every
