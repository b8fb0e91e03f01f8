"""Predictions from measurements of like cases: for each allocation, and for each measurement from all other sources."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields

import duckdb

from pipeline import sql
from pipeline.rules.utilization import gaussian_process
from pipeline.rules.utilization.gaussian_process import Band, Case, Measured
from pipeline.sql import Row
from schemas.params import Calibrate

POINTS = ("utilization_low_fraction", "utilization_middle_fraction", "utilization_high_fraction")
COLUMNS = {"model_id": "varchar", "phase": "varchar", "allocation": "bigint", "network": "varchar"} | dict.fromkeys(
    (*POINTS, "utilization_log_sd"), "double"
)
FRACTIONS = ("measured_utilization_fraction", "default_utilization_fraction")
BACKTEST_COLUMNS = {
    "measurement_id": "varchar", "row": "varchar", "network": "varchar", "precision": "varchar",
    "generation": "varchar",
} | dict.fromkeys((*FRACTIONS, *POINTS), "double")  # fmt: skip


def make(connection: duckdb.DuckDBPyConnection) -> None:
    """Makes `utilizations` of the connection's `asked_cases`, from its `measured_cases`."""
    asked = sql.rows(connection.table("asked_cases"), ["model_id", "phase", "allocation"])
    measured = measured_of(sql.rows(connection.table("measured_cases"), ["measurement_id", "row"])) if asked else []
    ((sizes,),) = connection.execute("select calibrate from params").fetchall()
    sql.create(connection, "utilizations", COLUMNS, of_allocations(asked, measured, Calibrate(**sizes)))


RULE = sql.PythonRule(("asked_cases", "measured_cases", "params"), make)


def case_of(case_row: Row) -> Case:
    """A row of `asked_cases` or `measured_cases` as a case."""
    return Case(**{field.name: case_row[field.name] for field in fields(Case)})


def measured_of(measured_rows: Sequence[Row]) -> list[Measured]:
    """Rows of `measured_cases` as measurements."""
    return [
        Measured(case_of(row), row["measurement_source"], row["measured_utilization_fraction"]) for row in measured_rows
    ]


def of_allocations(asked: Sequence[Row], measured: Sequence[Measured], sizes: Calibrate) -> Iterator[Row]:
    """Rows of `utilizations` for rows of `asked_cases`."""
    cases = [case_of(row) for row in asked]
    different = list(dict.fromkeys(cases))
    bands = dict(zip(different, gaussian_process.bands(measured, different, sizes), strict=True))
    for row, case in zip(asked, cases, strict=True):
        keys = {name: row[name] for name in ("model_id", "phase", "allocation", "network")}
        yield {**keys, **points(bands[case]), "utilization_log_sd": bands[case].log_sd}


def of_sources_left_out(measured_rows: Sequence[Row], sizes: Calibrate) -> Iterator[Row]:
    """Rows of `utilization_backtests`, one for each of `measured_cases`."""
    names = [name for name in BACKTEST_COLUMNS if name not in POINTS]
    bands = gaussian_process.bands_left_out(measured_of(measured_rows), sizes)
    for row, band in zip(measured_rows, bands, strict=True):
        yield {**{name: row[name] for name in names}, **points(band)}


def points(band: Band) -> Mapping[str, float]:
    """The columns POINTS of a band."""
    return dict(zip(POINTS, band.bounds, strict=True))
