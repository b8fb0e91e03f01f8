"""Facts: a value, a range or one end of it, in the unit asked for and as it was written."""

import pytest

from schemas.facts import Count, Duration, Epochs

FACTS = [
    # kind, what is stated, amount, bounds, bound, written
    (Count, {"value": 1.5e6}, 1.5e6, (1.5e6, 1.5e6), None, "1500000"),
    (Count, {"low": 2.0, "high": 8.0}, 4.0, (2.0, 8.0), None, "2 to 8"),  # sqrt(2 * 8) = 4
    (Count, {"at_least": 1.5e6}, 1.5e6, (1.5e6, 1.5e6), "at_least", "at least 1500000"),
    (Epochs, {"at_most": 0.1}, 0.1, (0.1, 0.1), "at_most", "at most 0.1"),
    (Duration, {"at_least": "2 day"}, 172_800, (172_800, 172_800), "at_least", "at least 2 day"),
]


@pytest.mark.parametrize(("kind", "stated", "amount", "bounds", "bound", "written"), FACTS)
def test_a_fact_is_a_value_a_range_or_one_end(kind, stated, amount, bounds, bound, written):
    fact = kind(**stated, source="paper")
    assert (fact.amount, fact.bounds, fact.bound, fact.written) == (amount, bounds, bound, written)
    assert fact.is_range == ("low" in stated)
