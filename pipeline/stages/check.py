"""Checks the estimates: the default utilization against measured training, hidden facts against what would be imputed, the two methods."""

from typing import NamedTuple

from pipeline import sql
from pipeline.rules import method_comparison
from pipeline.rules.backtests import compared, filled, summary
from pipeline.rules.backtests.hidden import Widths
from pipeline.rules.backtests.year_peaks import KEY, comparison
from pipeline.rules.utilization import checks, predictions
from schemas import params
from schemas.errors import ContractError
from schemas.table import Ledger, Metrics, Table
from schemas.tables.checks import Checks
from schemas.tables.imputation_backtests import ImputationBacktests
from schemas.tables.imputation_errors import ImputationErrors
from schemas.tables.method_comparison import MethodComparison
from schemas.tables.method_comparison_summary import MethodComparisonSummary
from schemas.tables.utilization_backtests import UtilizationBacktests
from schemas.tables.utilization_cells import UtilizationCells
from schemas.tables.year_peak_comparison import YearPeakComparison

WIDTHS = "select applies_to, default_value from defaults where quantity = 'uncertainty'"
DEFAULT_LOG_SDS = "select applies_to, log_sd from defaults where quantity = 'utilization'"
CHECKS = "select * exclude (utilization_case, generation) from checks"
COMPARED = "select m.*, e.* exclude (model_id) from estimates e join models m using (model_id) order by model_id"


class Checked(NamedTuple):
    """Measurements and hidden facts, each with what would be predicted, and the comparison of the methods."""

    utilization_backtests: Table[UtilizationBacktests]
    checks: Table[Checks]
    utilization_cells: Table[UtilizationCells]
    imputation_backtests: Table[ImputationBacktests]
    imputation_errors: Table[ImputationErrors]
    year_peak_comparison: Table[YearPeakComparison]
    method_comparison: Table[MethodComparison]
    method_comparison_summary: Table[MethodComparisonSummary]
    metrics: Metrics


def build(ledger: Ledger, params: params.Params) -> Checked:
    """Checks the estimates: the default utilization against measured training, hidden facts against what would be imputed, the two methods."""
    connection = sql.connection_with(ledger, params)
    try:
        sql.run(connection, ["checks", "constants"], ledger)
        filled.hide(connection)
    except sql.RuleError as problem:
        raise ContractError(str(problem)) from None
    measured = sql.rows(connection.table("measured_cases"), ["measurement_id", "row"])
    left_out = list(predictions.of_sources_left_out(measured, params.calibrate))
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
    checked = checks.with_errors(connection)
    pairs = method_comparison.compared(sql.rows(connection.sql(COMPARED)))
    stated = sql.rows(connection.table("external_estimates"), ["model_id", "external_estimate_id"])
    return Checked(
        left_out,
        connection.sql(CHECKS),
        checks.cells(checked),
        [row.shown() for row in hidden],
        [*summary.errors(hidden), *summary.measured_utilizations(tested, default_log_sds)],
        comparison(sql.rows(connection.table("year_peaks"), KEY), chips),
        pairs,
        [*method_comparison.summary(pairs), *method_comparison.published(stated)],
        Metrics(checks.metrics(checked)),
    )
