"""The two methods compared, over the ledger's independent pairs."""

import csv
import math

import pytest

from pipeline.stages import flow


@pytest.fixture(scope="module")
def asked(tables):
    """Return a function that queries the ledger's tables."""
    return tables.sql


def test_the_published_csv_is_the_table(asked):
    with (flow.ROOT / "data/published/method_comparison.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["model_id"] for row in rows] == [name for (name,) in asked("select model_id from method_comparison order by 1")]  # fmt: skip


def test_ai_and_compute_made_two_pairs_that_records_quote(asked):
    """Deep Speech 2: 0.30 / 0.25 pfs-day; architecture search: 22 / 31."""
    ((number, middle),) = asked("select models_number, geometric_mean_ratio from method_comparison_summary where grouping = 'published'")  # fmt: skip
    assert number == 2
    assert middle == pytest.approx(math.sqrt(0.30 / 0.25 * 22 / 31), rel=1e-3)
