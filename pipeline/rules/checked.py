"""The tables of the stage check: measured utilizations, imputed facts against hidden ones, the methods side by side."""

from collections.abc import Iterable, Mapping
from typing import Any

import duckdb

from pipeline import sql
from pipeline.rules import method_comparison, possible
from pipeline.rules.backtests import compared, filled, summary
from pipeline.rules.backtests.hidden import Widths
from pipeline.rules.backtests.year_peaks import KEY, comparison
from pipeline.rules.utilization import checks, predictions
from schemas.params import Params

Tables = Mapping[str, duckdb.DuckDBPyRelation]
Rows = duckdb.DuckDBPyRelation | Iterable[Mapping[str, Any]]
GOLD = ("gold_utilizations", "gold_runs", "gold_scores")
WIDTHS = "select applies_to, default_value from defaults where quantity = 'uncertainty'"
DEFAULT_LOG_SDS = "select applies_to, log_sd from defaults where quantity = 'utilization'"
CHECKS = "select * exclude (utilization_case, generation, measurement_source) from checks"
COMPARED = "select m.*, e.* exclude (model_id) from estimates e join models m using (model_id) order by model_id"


def checked(tables: Tables, params: Params) -> tuple[dict[str, Rows], Mapping[str, Any]]:
    """The tables of the stage check, and named figures that DVC shows and compares."""
    connection = sql.connection_with(tables, params)
    possible.run(connection, ["checks", "constants", "reading_comparison", *GOLD], tables)
    filled.hide(connection)
    left_out = list(predictions.of_sources_left_out(connection))
    sql.create(connection, "utilization_backtests", predictions.BACKTEST_COLUMNS, left_out)
    widths = dict(connection.execute(WIDTHS).fetchall())
    halves = Widths(**{name: widths[name] for name in Widths._fields})
    chips = filled.chips_of_models(connection)
    hidden = [
        *filled.hardware(connection, chips),
        *filled.precision(connection),
        *filled.utilization(connection),
        *filled.passes(connection, halves, params.impute.model_dump()),
        *compared.all_of(connection, halves),
    ]
    tested = sql.rows(connection.sql(summary.TESTED))
    default_log_sds = dict(connection.execute(DEFAULT_LOG_SDS).fetchall())
    with_errors = checks.with_errors(connection)
    pairs = method_comparison.compared(sql.rows(connection.sql(COMPARED)))
    stated = sql.rows(connection.table("external_estimates"), ["model_id", "external_estimate_id"])
    return {
        **{name: connection.table(name) for name in GOLD},
        "utilization_backtests": left_out,
        "checks": connection.sql(CHECKS),
        "reading_comparison": connection.table("reading_comparison"),
        "utilization_cells": checks.cells(with_errors),
        "imputation_backtests": [row.shown() for row in hidden],
        "imputation_errors": [*summary.errors(hidden), *summary.measured_utilizations(tested, default_log_sds)],
        "year_peak_comparison": comparison(sql.rows(connection.table("year_peaks"), KEY), chips),
        "method_comparison": pairs,
        "method_comparison_summary": [*method_comparison.summary(pairs), *method_comparison.published(stated)],
    }, checks.metrics(with_errors)
