"""What the stage finds about the default utilization, given rated measurements."""

import math

import duckdb
import pytest

from pipeline.models import sql
from pipeline.rules.utilization import checks

ROW = {"measurement_id": "bench", "measurement_source": "bench", "row": "a", "network": "language_transformer", "precision": "fp16", "generation": "volta",
       "measured_utilization_fraction": 0.3, "default_utilization_fraction": 0.3, "is_within_factor_two": True}  # fmt: skip
PREDICTED = {"measurement_id": "bench", "measurement_source": "bench", "row": "a", "utilization_middle_fraction": 0.25}


def types_of(row):
    return {name: {float: "double", bool: "boolean"}.get(type(value), "varchar") for name, value in row.items()}


def rows_of(*given, predicted=(PREDICTED,)):
    connection = duckdb.connect()
    sql.create(connection, "checks", types_of(ROW), given)
    sql.create(connection, "utilization_backtests", types_of(PREDICTED), predicted)
    return checks.with_errors(connection)


def test_errors_are_absolute_logarithms():
    with_prediction, without = rows_of(
        {**ROW, "measured_utilization_fraction": 0.15},
        {**ROW, "measurement_id": "later", "measurement_source": "later"},
    )
    assert with_prediction["default_error"] == pytest.approx(math.log(2))
    assert with_prediction["predicted_error"] == pytest.approx(math.log(0.25 / 0.15))
    assert (without["default_error"], without["predicted_error"]) == (0, None)


def test_a_cell_is_of_one_family_precision_and_generation():
    given = [{**ROW, "row": name, "measured_utilization_fraction": found, "is_within_factor_two": found > 0.15} for name, found in zip("abc", (0.1, 0.2, 0.6), strict=True)]  # fmt: skip
    unknown = {**ROW, "measurement_id": "old", "measurement_source": "old", "generation": None}
    hopper = {**ROW, "measurement_id": "other", "measurement_source": "other", "generation": "hopper"}
    first, second = checks.cells(rows_of(*given, unknown, hopper))
    assert (first["generation"], first["rows"], first["sources_number"]) == ("hopper", 1, 1)
    assert (second["generation"], second["rows"], second["sources_number"]) == ("volta", 3, 1)
    assert second["utilization_median_fraction"] == 0.2
    # tenths of 0.1, 0.2, 0.6 along the line through them: 0.1 + 0.2 x 0.1, and 0.2 + 0.8 x 0.4
    assert (second["utilization_p10_fraction"], second["utilization_p90_fraction"]) == pytest.approx((0.12, 0.52))
    assert second["share_within_factor_two_fraction"] == pytest.approx(2 / 3)
    assert second["default_log_error"] == pytest.approx(math.log(2))  # of log 3, log 1.5 and log 2
    assert first["predicted_log_error"] is None
