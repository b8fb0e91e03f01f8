"""Pairs of numbers of a model of which one must be wrong."""

import duckdb
import pytest

from pipeline.rules import impossible_amounts
from schemas.errors import ContractError


def test_a_contradiction_names_both_numbers():
    connection = duckdb.connect()
    connection.execute("create table estimates as select 'base' as model_id, 5e24 as training_flop_high")
    connection.execute(
        "create table external_estimates as select 'base' as model_id, 'at_least' as stated_bound,"
        " 1e24 as stated_flop, 'agrees' as outcome"
    )
    impossible_amounts.refuse_contradictions(connection)
    connection.execute("update external_estimates set stated_flop = 7e24")
    words = r"^base: estimates: its training_flop is at most 5e\+24, but others state at least 7e\+24: then `outcome` must be differs$"
    with pytest.raises(ContractError, match=words):
        impossible_amounts.refuse_contradictions(connection)
    connection.execute("update external_estimates set outcome = 'differs'")
    impossible_amounts.refuse_contradictions(connection)
