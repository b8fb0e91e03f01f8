"""Pairs of numbers of a model of which one must be wrong."""

import duckdb
import pytest

from pipeline.rules import possible
from schemas.errors import ContractError

MODELS = """create table estimates as select * from (values
    ('base', null, 3e24, 5e24, null, null), ('tuned', 'base', 4e24, 6e24, null, null), ('unknown', 'base', null, null, 2e24, 9e24)
) t(model_id, base_model, training_flop, training_flop_high, range_low_flop, range_high_flop)"""
OTHERS = """create table external_estimates as select * from (values
    ('base', 'at_least', 1e24, 'agrees'), ('tuned', 'at_most', 9e24, 'agrees'), ('unknown', 'at_least', 1e25, 'no_own_value')
) t(model_id, stated_bound, stated_flop, outcome)"""


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("update external_estimates set stated_flop = 7e24 where model_id = 'base'",
         "base: estimates: its training_flop is at most 5e+24, but others state at least 7e+24: then `outcome` must be differs"),
    ],
)  # fmt: skip
def test_a_contradiction_names_both_numbers(change, message):
    connection = duckdb.connect()
    connection.execute(MODELS)
    connection.execute(OTHERS)
    possible.refuse_contradictions(connection)
    connection.execute(change)
    with pytest.raises(ContractError) as refused:
        possible.refuse_contradictions(connection)
    assert str(refused.value) == message
    connection.execute("update external_estimates set outcome = 'differs' where model_id = 'base'")
    connection.execute("update estimates set training_flop = greatest(training_flop, 3e24)")
    possible.refuse_contradictions(connection)
