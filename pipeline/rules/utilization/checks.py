"""Compare the default utilization with measured training, by row, and by family, precision and generation."""

import math
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from statistics import median, quantiles
from typing import Any

import duckdb

from pipeline.models import sql
from pipeline.models.sql import Row

CELL = ("network", "precision", "generation")
CHECKED = """
    select checks.*, utilization_middle_fraction from checks left join utilization_backtests using (measurement_id, row)
"""


def with_errors(connection: duckdb.DuckDBPyConnection) -> list[Row]:
    """Return the rows of `checks` with absolute log errors of the default and of the prediction from other sources."""
    return [_with_errors(row) for row in sql.rows(connection.sql(CHECKED), ["measurement_id", "row"])]


def cells(measured: Sequence[Row]) -> list[Row]:
    """Return the rows of `utilization_cells`, given rows of `with_errors` whose chips have a generation."""
    with_generation = [row for row in measured if row["generation"]]
    return [{**dict(zip(CELL, key, strict=True)), **_cell(group)} for key, group in _grouped(with_generation, *CELL)]


def _with_errors(row: Row) -> Row:
    measured_fraction, predicted = row["measured_utilization_fraction"], row["utilization_middle_fraction"]
    return {
        **row,
        "default_error": abs(math.log(measured_fraction / row["default_utilization_fraction"])),
        "predicted_error": abs(math.log(measured_fraction / predicted)) if predicted is not None else None,
    }


def _grouped(measured: Sequence[Row], *keys: str) -> Iterator[tuple[tuple[Any, ...], list[Row]]]:
    def key(row: Row) -> tuple[Any, ...]:
        return tuple(row[name] for name in keys)

    for value, group in groupby(sorted(measured, key=key), key=key):
        yield value, list(group)


def _cell(group: Sequence[Row]) -> Row:
    fractions = sorted(map(itemgetter("measured_utilization_fraction"), group))
    tenths = quantiles(fractions, n=10, method="inclusive") if len(fractions) > 1 else [fractions[0]] * 9
    errors = [row["predicted_error"] for row in group if row["predicted_error"] is not None]
    return {
        "rows": len(group),
        "sources_number": len({row["measurement_source"] for row in group}),
        "default_utilization_fraction": group[0]["default_utilization_fraction"],
        "utilization_p10_fraction": tenths[0],
        "utilization_median_fraction": median(fractions),
        "utilization_p90_fraction": tenths[8],
        "share_within_factor_two_fraction": sum(row["is_within_factor_two"] for row in group) / len(group),
        "default_log_error": median(row["default_error"] for row in group),
        "predicted_log_error": median(errors) if errors else None,
    }
