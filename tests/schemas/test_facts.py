"""Facts: a value, a range or a bound, in the requested unit and as written."""

import pytest

from schemas.arithmetic import arithmetic
from schemas.facts import Count, Duration, Epochs
from schemas.records.training import Phase

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


@pytest.mark.parametrize(("written", "amount"), [("7.5B", 7.5e9), ("1,307", 1307), ("350k", 350e3), ("1.5e12", 1.5e12)])
def test_a_count_may_stand_as_the_command_line_takes_it(written, amount):
    assert Count(value=written, source="paper").amount == amount


@pytest.mark.parametrize("amount", [{"value": "1.2T"}, {"value": 1.2e12}, {"low": "1T", "high": 1.2e12}])
def test_examples_that_were_seen_are_one_pass(amount):
    phase = Phase(phase="pretraining", example_unit="token", examples={**amount, "quote": "data"}, epochs="seen")
    assert phase.epochs.amount == 1
    assert phase.epochs.quote == ["data"]
    assert arithmetic(phase.epochs.derived) == 1
    assert phase.examples_seen == phase.examples.amount
