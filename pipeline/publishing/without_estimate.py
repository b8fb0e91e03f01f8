"""Compare models without an estimate with a threshold: which models other people place above it, and which ranges reach it."""

from collections.abc import Container
from typing import NamedTuple

import duckdb

from pipeline.publishing.rows import Row, rows


class WithoutEstimate(NamedTuple):
    """Models without an estimate: all, those that other people place above a threshold, and the rest of those whose range reaches it."""

    models: list[Row]
    placed_above: list[Row]
    reaching: list[Row]


def beside(
    connection: duckdb.DuckDBPyConnection, flop: float, among: Container[str | None] | None = None
) -> WithoutEstimate:
    """Return the models without an estimate, or only those in `among`, and which of these are or may be above `flop`, largest first."""
    all_models = rows(connection, "from models_without_estimate order by model_id")
    models = [row for row in all_models if among is None or row["model_id"] in among]
    placed_above = [row for row in models if (row["external_flop"] or 0) >= flop]
    reaching_range = [row for row in models if row not in placed_above and (row["range_high_flop"] or 0) >= flop]
    return WithoutEstimate(
        models,
        sorted(placed_above, key=lambda row: -row["external_flop"]),
        sorted(reaching_range, key=lambda row: -row["range_high_flop"]),
    )
