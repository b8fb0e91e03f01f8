"""Predict the utilization of gold runs from measurements by other owners, or by the same owner with other code."""

from itertools import groupby

import duckdb

from pipeline.models import sql
from pipeline.rules.utilization import gaussian_process
from pipeline.rules.utilization.predictions import case_of, measured_of, points, sizes, with_effects
from schemas.vocabulary import NAMES_SEPARATOR


def make(connection: duckdb.DuckDBPyConnection) -> None:
    """Create `gold_utilizations` for the connection's `gold_cases`, from its `measured_cases`."""
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


RULE = sql.PythonRule(("gold_cases", "measured_cases", "params"), make)
