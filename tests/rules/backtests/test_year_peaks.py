"""The default peaks of each year, compared with the chips of the ledger's own models."""

import math

import duckdb
import pytest

from pipeline.models import sql
from pipeline.rules import backtests

CHIPS = """
    create table model_chips as select 2013 as published_year, 'fp32' as applies_to, unnest(['a', 'b', 'c']) as model_id,
        unnest(['slow', 'slow', 'fast']) as hardware_id, unnest([1e12, 1e12, 8e12]) as peak_flop_per_second
"""
YEARS = """
    create table year_peaks as select unnest([2012, 2013]) as published_year, 'fp32' as applies_to,
        unnest([1e12, 2e12]) as peak_flop_per_second, 'default_year' as peak_basis, 'a source' as source
"""


def test_a_year_stands_beside_its_own_models_chips():
    book = duckdb.connect()
    book.execute(CHIPS)
    book.execute(YEARS)
    (row,) = sql.rows(book.sql(backtests.query("year_peak_comparison")))
    assert (row["published_year"], row["default_peak_flop_per_second"], row["models_number"]) == (2013, 2e12, 3)
    assert (row["common_hardware_id"], row["common_peak_flop_per_second"], row["common_models_number"]) == ("slow", 1e12, 2)  # fmt: skip
    assert row["own_mean_peak_flop_per_second"] == pytest.approx(2e12)  # the cube root of 1 x 1 x 8
    # logarithms around their mean: -log 2, -log 2 and 2 log 2
    assert row["log_sd"] == pytest.approx(math.sqrt(2) * math.log(2))
