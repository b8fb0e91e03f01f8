"""Fit the model that predicts utilization."""

from collections.abc import Mapping, Sequence

import duckdb

from pipeline.models import sql
from pipeline.models.sql import Row
from pipeline.rules.utilization import gaussian_process
from pipeline.rules.utilization.gaussian_process import Band, Case, Measured
from schemas.params import Calibrate

POINTS = ("utilization_low_fraction", "utilization_middle_fraction", "utilization_high_fraction")
WITH_EFFECTS = (
    "select c.*, utilization_effects(utilization_traits(c), calibrate, map()) as effects from {} c cross join params"
)


def make(connection: duckdb.DuckDBPyConnection) -> None:
    """Create `utilization_model` from the connection's `measured_cases`."""
    measured = measured_of(with_effects(connection, "measured_cases", ["measurement_id", "row"]))
    sql.create(connection, "utilization_model", gaussian_process.fitted(measured, sizes(connection)))


RULE = sql.PythonRule(("measured_cases", "params"), make)


def sizes(connection: duckdb.DuckDBPyConnection) -> Calibrate:
    """Return the prior standard deviations of effects (`calibrate`) from the connection's `params`."""
    ((chosen,),) = connection.execute("select calibrate from params").fetchall()
    return Calibrate(**chosen)


def with_effects(connection: duckdb.DuckDBPyConnection, table: str, order: Sequence[str]) -> list[Row]:
    """Return the rows of a table of cases in this order, each with its `effects`."""
    return sql.rows(connection.sql(WITH_EFFECTS.format(table)), order)


def case_of(row: Row) -> Case:
    """Return a row of `with_effects` as a Case."""
    known = [effect for effect in row["effects"] if None not in (effect["effect"], effect["effect_size"])]
    slopes = frozenset(effect["effect"] for effect in known if effect["is_slope"])
    effects = {effect["effect"]: effect["effect_size"] for effect in known}
    return Case(effects, slopes, row["default_utilization_fraction"])


def measured_of(measured_rows: Sequence[Row]) -> list[Measured]:
    """Return rows of measured cases as `Measured`."""
    return [
        Measured(case_of(row), row["measurement_source"], row["measured_utilization_fraction"]) for row in measured_rows
    ]


def points(band: Band) -> Mapping[str, float]:
    """Return the quantiles of a band under the column names in POINTS."""
    return dict(zip(POINTS, band.bounds, strict=True))
