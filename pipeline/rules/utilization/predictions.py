"""Fit the model that predicts utilization, and predict gold runs and, from the other sources, each measurement."""

from collections.abc import Mapping, Sequence
from itertools import groupby

import duckdb

from pipeline.models import sql
from pipeline.models.sql import Row
from pipeline.rules.utilization import gaussian_process
from pipeline.rules.utilization.gaussian_process import Band, Case, Measured
from schemas.params import Calibrate
from schemas.vocabulary import NAMES_SEPARATOR

POINTS = ("utilization_low_fraction", "utilization_middle_fraction", "utilization_high_fraction")
WITH_EFFECTS = (
    "select c.*, utilization_effects(utilization_traits(c), calibrate, map()) as effects from {} c cross join params"
)


def make(connection: duckdb.DuckDBPyConnection) -> None:
    """Create `utilization_model` from the connection's `measured_cases`."""
    measured = measured_of(with_effects(connection, "measured_cases", ["measurement_id", "row"]))
    sql.create(connection, "utilization_model", gaussian_process.fit(measured, sizes(connection)))


def make_of_gold_runs(connection: duckdb.DuckDBPyConnection) -> None:
    """Create `gold_utilizations`, predicted from measurements by other owners, or by the same owner with other code."""
    gold_cases = with_effects(connection, "gold_cases", ["measured_by", "gold_group_id", "run"])
    measured = measured_of(with_effects(connection, "measured_cases", ["measurement_id", "row"]))
    predicted = []
    for measured_by, runs in groupby(gold_cases, key=lambda row: row["measured_by"]):
        own_sources, group = set((measured_by or "").split(NAMES_SEPARATOR)), list(runs)
        # Measurements from a run's own source would make its prediction look too good.
        from_other_sources = [measurement for measurement in measured if measurement.source not in own_sources]
        bands = gaussian_process.bands(from_other_sources, [case_of(row) for row in group], sizes(connection))
        predicted += [
            {"gold_group_id": row["gold_group_id"], "run": row["run"], **points(band)}
            for row, band in zip(group, bands, strict=True)
        ]
    sql.create(connection, "gold_utilizations", predicted)


def make_of_measurements(connection: duckdb.DuckDBPyConnection) -> None:
    """Create `utilization_backtests`: each of the connection's `measured_cases`, predicted from all other sources."""
    measured = with_effects(connection, "measured_cases", ["measurement_id", "row"])
    bands = gaussian_process.bands_left_out(measured_of(measured), sizes(connection))
    predicted = [{**row, **points(band)} for row, band in zip(measured, bands, strict=True)]
    sql.create(connection, "utilization_backtests", predicted)


RULES = {
    "utilization_model": sql.PythonRule(("measured_cases", "params"), make),
    "gold_utilizations": sql.PythonRule(("gold_cases", "measured_cases", "params"), make_of_gold_runs),
    "utilization_backtests": sql.PythonRule(("measured_cases", "params"), make_of_measurements),
}


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
