"""Predict each measurement from all other sources: the table `utilization_backtests`."""

import duckdb

from pipeline.models import sql
from pipeline.rules.utilization import gaussian_process
from pipeline.rules.utilization.predictions import measured_of, points, sizes, with_effects


def make(connection: duckdb.DuckDBPyConnection) -> None:
    """Create `utilization_backtests` from the connection's `measured_cases`, with one row per case."""
    measured = with_effects(connection, "measured_cases", ["measurement_id", "row"])
    bands = gaussian_process.bands_left_out(measured_of(measured), sizes(connection))
    predicted = [{**row, **points(band)} for row, band in zip(measured, bands, strict=True)]
    sql.create(connection, "utilization_backtests", predicted)


RULE = sql.PythonRule(("measured_cases", "params"), make)
