"""Writes what the world gets: estimates as CSV and parquet, and a DuckDB file with all tables."""

import csv
import io
import re
from pathlib import Path

import duckdb

from schemas import expectations, params
from schemas.table import ContractError, Table, TableModel, columns
from schemas.tables.allocations import Allocations
from schemas.tables.checks import Checks
from schemas.tables.completed_allocations import CompletedAllocations
from schemas.tables.completed_runs import CompletedRuns
from schemas.tables.defaults import Defaults
from schemas.tables.errata import Errata
from schemas.tables.estimates import Estimates
from schemas.tables.facts import Facts
from schemas.tables.gpu_time_estimates import GpuTimeEstimates
from schemas.tables.hardware import Hardware
from schemas.tables.layers import Layers
from schemas.tables.lineages import Lineages
from schemas.tables.measurements import Measurements
from schemas.tables.models import Models
from schemas.tables.operation_counts import OperationCounts
from schemas.tables.operation_counts_by_kind import OperationCountsByKind
from schemas.tables.operation_estimates import OperationEstimates
from schemas.tables.peaks import Peaks
from schemas.tables.runs import Runs
from schemas.tables.sources import Sources
from schemas.tables.statements import Statements
from schemas.tables.year_peaks import YearPeaks

DUCKDB_STORAGE = "v1.0.0"  # readable by every DuckDB since 1.0
RUNS_IN_A_SPREADSHEET = re.compile(r"[=+\-@\t\r]")


def build(
    allocations: Table[Allocations],
    checks: Table[Checks],
    completed_allocations: Table[CompletedAllocations],
    completed_runs: Table[CompletedRuns],
    defaults: Table[Defaults],
    errata: Table[Errata],
    estimates: Table[Estimates],
    facts: Table[Facts],
    gpu_time_estimates: Table[GpuTimeEstimates],
    hardware: Table[Hardware],
    layers: Table[Layers],
    lineages: Table[Lineages],
    measurements: Table[Measurements],
    models: Table[Models],
    operation_counts: Table[OperationCounts],
    operation_counts_by_kind: Table[OperationCountsByKind],
    operation_estimates: Table[OperationEstimates],
    peaks: Table[Peaks],
    runs: Table[Runs],
    sources: Table[Sources],
    statements: Table[Statements],
    year_peaks: Table[YearPeaks],
    params: params.Publish,
    release: Path,
) -> None:
    """Writes what the world gets: estimates as CSV and parquet, and a DuckDB file with all tables."""
    rounded = _rounded(estimates, params.significant_digits)
    problems = expectations.broken(rounded.df())
    if problems:
        raise ContractError("\n".join(problems))
    (release / "estimates.csv").write_text(_csv(rounded, params.significant_digits), encoding="utf-8", newline="")
    rounded.write_parquet(str(release / "estimates.parquet"))
    tables = {
        "allocations": allocations,
        "checks": checks,
        "completed_allocations": completed_allocations,
        "completed_runs": completed_runs,
        "defaults": defaults,
        "errata": errata,
        "estimates": estimates,
        "facts": facts,
        "gpu_time_estimates": gpu_time_estimates,
        "hardware": hardware,
        "layers": layers,
        "lineages": lineages,
        "measurements": measurements,
        "models": models,
        "operation_counts": operation_counts,
        "operation_counts_by_kind": operation_counts_by_kind,
        "operation_estimates": operation_estimates,
        "peaks": peaks,
        "runs": runs,
        "sources": sources,
        "statements": statements,
        "year_peaks": year_peaks,
    }
    _write_book(release / "ledger.duckdb", tables)


def _rounded(estimates, digits):
    # The parquet holds what the CSV shows; the database keeps every digit.
    shown = [
        f"cast(printf('%.{digits}g', {name}) as double) as {name}" if kind == "float" else name
        for name, kind in columns(Estimates).items()
    ]
    return estimates.to_native().project(", ".join(shown)).order("model_id")


def _csv(rounded, digits):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(rounded.columns)
    writer.writerows([_cell(value, digits) for value in row] for row in rounded.fetchall())
    return text.getvalue()


def _cell(value, digits):
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.{digits}g}"
    # A leading apostrophe makes a spreadsheet show the text instead of running it.
    return f"'{value}" if RUNS_IN_A_SPREADSHEET.match(value) else value


def _write_book(path, tables):
    contracts = {contract.__module__.rsplit(".", 1)[-1]: contract for contract in TableModel.__subclasses__()}
    duckdb.sql(f"attach '{path}' as book (storage_version '{DUCKDB_STORAGE}')")
    try:
        for name, table in tables.items():
            table.to_native().create(f"book.main.{name}")
            duckdb.sql(f"comment on table book.main.{name} is {_quoted(contracts[name].__doc__)}")
            for column, described in contracts[name].to_schema().columns.items():
                duckdb.sql(f"comment on column book.main.{name}.{column} is {_quoted(described.description)}")
    finally:
        duckdb.sql("detach book")


def _quoted(text):
    return "'" + text.replace("'", "''") + "'"
