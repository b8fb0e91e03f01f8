"""The tables of the stage check: measured utilizations, imputed facts against hidden ones, the methods side by side."""

from collections.abc import Iterable, Mapping
from typing import Any

import duckdb

from pipeline import sql
from pipeline.rules import backtests, method_comparison, possible
from pipeline.rules.utilization import checks, predictions
from schemas.params import Params

Tables = Mapping[str, duckdb.DuckDBPyRelation]
Rows = duckdb.DuckDBPyRelation | Iterable[Mapping[str, Any]]
GOLD = ("gold_utilizations", "gold_runs", "gold_scores")
CHECKS = "select * exclude (utilization_case, generation, measurement_source) from checks"
COMPARED = "select m.*, e.* exclude (model_id) from estimates e join models m using (model_id) order by model_id"


def checked(tables: Tables, params: Params) -> tuple[dict[str, Rows], Mapping[str, Any]]:
    """The tables of the stage check, and named figures that DVC shows and compares."""
    connection = sql.connection_with(tables, params)
    possible.run(connection, ["checks", "constants", "reading_comparison", *GOLD], tables)
    measured = sql.rows(connection.table("measured_cases"), ["measurement_id", "row"])
    left_out = list(predictions.of_sources_left_out(measured, params.calibrate))
    sql.create(connection, "utilization_backtests", predictions.BACKTEST_COLUMNS, left_out)
    backtests.run(connection)
    with_errors = checks.with_errors(connection)
    pairs = method_comparison.compared(sql.rows(connection.sql(COMPARED)))
    stated = sql.rows(connection.table("external_estimates"), ["model_id", "external_estimate_id"])
    return {
        **{name: connection.table(name) for name in GOLD},
        "utilization_backtests": left_out,
        "checks": connection.sql(CHECKS),
        "reading_comparison": connection.table("reading_comparison"),
        "utilization_cells": checks.cells(with_errors),
        **{name: connection.table(name) for name in backtests.BACKTESTS},
        "method_comparison": pairs,
        "method_comparison_summary": [*method_comparison.summary(pairs), *method_comparison.published(stated)],
    }, checks.metrics(with_errors)
