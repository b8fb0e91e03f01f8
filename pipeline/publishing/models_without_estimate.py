"""Compare models without an estimate with a threshold: which exceed it by known parts, or by others' figures."""

from collections.abc import Container
from typing import NamedTuple

import duckdb

from pipeline.publishing.rows import Row, rows


class WithoutEstimate(NamedTuple):
    """Models without an estimate: all, those above a threshold by known parts, and more that others place there."""

    models: list[Row]
    known_above: list[Row]
    placed_above: list[Row]


def models_without_estimate(
    connection: duckdb.DuckDBPyConnection, flop: float, among: Container[str | None] | None = None
) -> WithoutEstimate:
    """Return the models without an estimate (in `among`), and which are or may be above `flop`, largest first."""
    all_models = rows(connection, "from models_without_estimate order by model_id")
    models = [row for row in all_models if among is None or row["model_id"] in among]
    known_above = [row for row in models if (row["training_flop_at_least"] or 0) >= flop]
    placed_above = [row for row in models if row not in known_above and (row["external_flop"] or 0) >= flop]
    return WithoutEstimate(
        models,
        sorted(known_above, key=lambda row: -row["training_flop_at_least"]),
        sorted(placed_above, key=lambda row: -row["external_flop"]),
    )
