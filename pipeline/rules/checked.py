"""The tables of the stage `check`: measured utilizations, known facts that we hide and impute, and the two methods."""

from collections.abc import Iterable, Mapping
from typing import Any

import duckdb

from pipeline.models import sql
from pipeline.rules import backtests, possible
from pipeline.rules.utilization import checks, predictions
from schemas.params import Params

Tables = Mapping[str, duckdb.DuckDBPyRelation]
Rows = duckdb.DuckDBPyRelation | Iterable[Mapping[str, Any]]
RULES = ("gold_utilizations", "gold_runs", "gold_scores", "method_comparison", "method_comparison_summary", "reading_comparison")  # fmt: skip
CHECKS = "select * exclude (utilization_case, generation, measurement_source) from checks"


def checked(tables: Tables, params: Params) -> dict[str, Rows]:
    """Return the tables of the stage `check`."""
    connection = sql.connection_with(tables, params)
    possible.run(connection, ["checks", "constants", *RULES], tables)
    left_out = list(predictions.of_sources_left_out(connection))
    sql.create(connection, "utilization_backtests", predictions.BACKTEST_COLUMNS, left_out)
    backtests.run(connection)
    return {
        **{name: connection.table(name) for name in (*RULES, *backtests.BACKTESTS)},
        "utilization_backtests": left_out,
        "checks": connection.sql(CHECKS),
        "utilization_cells": checks.cells(checks.with_errors(connection)),
    }
