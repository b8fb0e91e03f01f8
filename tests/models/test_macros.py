"""SQL macros that also exist in Python give the same results, on 10,000 random numbers."""

import math
import random

import duckdb
import pytest

from pipeline.formulas import uncertainty
from pipeline.formulas.utilization import largest_utilization_fraction
from pipeline.models import sql
from schemas.vocabulary import Network, Precision

NUMBERS = 10_000


@pytest.fixture(scope="module")
def connection():
    """Return a connection with the macros and random medians, widths, halves, and probabilities above 0.5."""
    chance = random.Random(20261123)
    connection = duckdb.connect()
    connection.execute(sql.macros())
    rows = [
        {
            "place": place,
            "median": 10 ** chance.uniform(-3, 40),
            "log_sd": 10 ** chance.uniform(-6, 1),
            "down": 10 ** chance.uniform(-4, 0.5),
            "up": 10 ** chance.uniform(-4, 0.5),
            "p": 1 - 10 ** chance.uniform(-6, -0.31),
        }
        for place in range(NUMBERS)
    ]
    sql.create(connection, "numbers", rows, {"place": "integer", **dict.fromkeys((*rows[0],)[1:], "double")})
    return connection


def in_sql(connection, text):
    """Return the values of an expression, one per row of `numbers`."""
    return [value for (value,) in connection.execute(f"select {text} from numbers order by place").fetchall()]


@pytest.mark.parametrize(
    ("text", "in_python"),
    [
        ("low(median, log_sd)", lambda row: row["median"] * math.exp(-uncertainty.NORMAL_QUANTILE_95 * row["log_sd"])),
        ("high(median, log_sd)", lambda row: row["median"] * math.exp(uncertainty.NORMAL_QUANTILE_95 * row["log_sd"])),
        ("normal_quantile_95()", lambda row: uncertainty.NORMAL_QUANTILE_95),
        ("lomax_reach(p)", lambda row: uncertainty.lomax_reach(row["p"])),
        ("logistic_reach(p)", lambda row: _logit(row["p"])),
        ("median * exp(-down * reach('operation_count', p))", lambda row: _ends(uncertainty.lomax_reach, row)[0]),
        ("median * exp(up * reach('reported', p))", lambda row: _ends(uncertainty.lomax_reach, row)[1]),
        ("median * exp(-down * reach('gpu_time', p))", lambda row: _ends(_logit, row)[0]),
        ("median * exp(up * reach('gpu_time', p))", lambda row: _ends(_logit, row)[1]),
    ],
)
def test_macros_equal_python(connection, text, in_python):
    # ends outside the range of doubles are infinite in SQL and an error in Python
    rows = sql.rows(connection.sql("from numbers where greatest(up, down) * lomax_reach(p) < 600 order by place"))
    values = dict(zip(in_sql(connection, "place"), in_sql(connection, text), strict=True))
    assert len(rows) > NUMBERS * 0.9
    for row in rows:
        assert values[row["place"]] == pytest.approx(in_python(row), rel=1e-13), (text, row)


def _logit(probability):
    return math.log(probability / (1 - probability))


def _ends(reach, row):
    halves = reach(row["p"])
    return row["median"] * math.exp(-row["down"] * halves), row["median"] * math.exp(row["up"] * halves)


@pytest.mark.parametrize("method", ["operation_count", "reported", "gpu_time"])
def test_the_probability_above_a_percentile_is_consistent(connection, method):
    """Check both sides of the median."""
    for sign, half, expected in ((1, "up", "1 - p"), (-1, "down", "p")):
        above = f"probability_above('{method}', {sign} * {half} * reach('{method}', p), up, down)"
        assert in_sql(connection, above) == pytest.approx(in_sql(connection, expected), rel=1e-9)
    assert in_sql(connection, f"probability_above('{method}', 0, up, down)") == [0.5] * NUMBERS


def test_the_largest_utilization_is_the_same_for_records_and_estimates(connection):
    for network in Network:
        for precision in Precision:
            asked = f"select largest_utilization_fraction({network == 'dense_convolution'}, '{precision.value}')"
            largest = connection.execute(asked).fetchone()
            assert largest == (largest_utilization_fraction(network.value, precision.value),)
