"""Which input, if it were known exactly, would narrow an interval most."""

import math

import numpy as np
import pytest

from pipeline.rules import priorities
from schemas.vocabulary import Input


@pytest.fixture(scope="module")
def asked(tables):
    """What a query finds in the ledger's tables."""
    return tables.sql


def row(own_log_sd=None, **variances):
    """A row of `reconciliations` with these variances of the headline's logarithm."""
    every = {f"variance_{word.value}": variances.get(word.value, 0.0) for word in Input}
    return {**every, "own_log_sd": own_log_sd or math.sqrt(math.fsum(every.values()))}


def best(row, **more):
    """Of a log-normal of the row's standard deviation."""
    return priorities.best(row, math.exp(2 * 1.644854 * row["own_log_sd"]), **more)


def width(log_values):
    low, high = np.quantile(log_values, [0.05, 0.95])
    return high - low


def test_the_wanted_fact_narrows_as_drawn_inputs_do():
    """A count alone with data known to a factor 1.5 and a network known to 1.15: exact data leave the network's spread."""
    random = np.random.default_rng(7)
    data, network = random.normal(0, math.log(1.5), 400_000), random.normal(0, math.log(1.15), 400_000)
    wanted, narrowing = best(row(examples=math.log(1.5) ** 2, forward_flop=math.log(1.15) ** 2))
    assert wanted == Input.EXAMPLES
    assert narrowing == pytest.approx(math.exp(width(data + network) - width(network)), rel=0.02)


def test_a_second_method_narrows_by_inverse_variance():
    """A count of 0.3 and 0.4 has a variance of 0.25; time as good halves it, exact operations leave 0.09, less than half."""
    wanted, narrowing = best(row(examples=0.09, forward_flop=0.16), gained=(Input.CHIP_TIME, 0.5))
    assert (wanted, narrowing) == (Input.FORWARD_FLOP, pytest.approx(math.exp(2 * 1.644854 * (0.5 - 0.3)), rel=1e-4))
    wanted, narrowing = best(row(examples=0.16, forward_flop=0.09), gained=(Input.CHIP_TIME, 0.3))
    own = math.sqrt(1 / (1 / 0.25 + 1 / 0.09))
    assert (wanted, narrowing) == (Input.CHIP_TIME, pytest.approx(math.exp(2 * 1.644854 * (0.5 - own)), rel=1e-4))


def test_a_dispute_is_settled_by_the_fact_that_its_cause_is_about():
    apart = row(examples=0.01, precision=0.16, utilization=0.25, gross_error=4.0)
    assert best(apart, cause="precision")[0] == Input.PRECISION
    assert best(apart, cause="utilization")[0] == Input.UTILIZATION
    assert best(apart, cause="unexplained")[1] < best(apart, cause="utilization")[1]


def test_input_priorities_is_in_order_and_holds_each_model_once(asked):
    rows = asked("select model_id, narrowing_ratio, interval_ratio from input_priorities order by rank")
    assert len({row[0] for row in rows}) == len(rows) > 0
    assert [row[1] for row in rows] == sorted((row[1] for row in rows), reverse=True)
    assert all(1 <= narrowing <= wide * (1 + 1e-9) for _, narrowing, wide in rows)
