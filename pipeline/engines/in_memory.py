"""Make the stages' tables from records in memory: for other catalogues, for validation, for tests.

Columns have the types in the tables' contracts, but only stages check the contracts.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import duckdb

from pipeline.models import sql
from pipeline.rules import possible

FEW_MODELS = 20  # several threads are slower for so few, and would change the last bits that a test compares
CHECKED = ("utilization_backtests", "checks", "utilization_cells", "imputation_backtests", "imputation_errors",
           "year_peak_comparison", "method_comparison", "method_comparison_summary", "reading_comparison",
           "gold_utilizations", "gold_runs", "gold_scores")  # fmt: skip
ESTIMATED = ("completed_runs", "completed_allocations", "operation_counts", "operation_counts_by_kind",
             "rated_runs", "measured_cases", "utilization_model", "utilizations", "operation_estimates",
             "gpu_time_estimates", "energy_estimates", "costs", "carbon", "footprints", "reconciliations",
             "dispute_causes", "range_cases", "range_backtests", "estimates", "statement_counts",
             "sentences")  # fmt: skip


def make(names: Iterable[str], records: Any, parameters: Any) -> dict[str, Any]:
    """Return these tables, and the tables from which they are made, by name as DuckDB relations.

    Raise ContractError if a rule cannot run.
    """
    from pipeline.rules.ingestion.tables import INGESTED  # imports slowly, and many callers only need the constants

    needed = set(names)
    is_checked = bool(needed & {*CHECKED})
    wanted = ESTIMATED if is_checked else sorted(needed & sql.tables())
    empty = set() if records.measurements else {"utilization_model"}  # whose fit imports numpy
    read = INGESTED if is_checked else (needed | sql.inputs(wanted, empty)) & INGESTED.keys()
    connection = duckdb.connect(config={"threads": 1} if len(records.models) <= FEW_MODELS else {})
    for name in sorted({*read, *empty}):
        create_like(connection, name)
        sql.insert(connection, name, INGESTED[name](records, parameters) if name in read else ())
    sql.set_params(connection, parameters.model_dump())
    tables = {name: connection.table(name) for name in {*read, *empty, *possible.run(connection, wanted, empty)}}
    return tables | (_checked(tables, connection, parameters) if is_checked else {})


def create_like(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    """Create an empty table of this name, with the columns and types of its contract."""
    from schemas.columns import DUCKDB
    from schemas.tables import columns_of

    columns = ", ".join(f'"{column}" {DUCKDB[place.column.kind]}' for column, place in columns_of(name).items())
    connection.execute(f'create table "{name}" ({columns})')


def _checked(tables: Mapping[str, Any], connection: duckdb.DuckDBPyConnection, parameters: Any) -> dict[str, Any]:
    from pipeline.rules.checked import checked
    from schemas import contracts  # imports pandas

    results = checked(tables, parameters)
    for name, rows in results.items():
        table = (
            rows.to_arrow_table() if isinstance(rows, duckdb.DuckDBPyRelation) else contracts.arrow_table(rows, name)
        )
        connection.register("rows_of_it", table)
        connection.execute(f'create or replace temp table "{name}" as from rows_of_it')
        connection.unregister("rows_of_it")
    return {name: connection.table(name) for name in results}
