"""Sets the default utilization against measured training: the time it predicts against the time that was measured."""

from itertools import groupby
from statistics import median
from typing import NamedTuple

import narwhals as nw

from pipeline.formulas import gpu_time
from schemas import params
from schemas.table import Metrics, Table
from schemas.tables.checks import Checks
from schemas.tables.defaults import Defaults, values
from schemas.tables.measurements import Measurements
from schemas.tables.operation_counts import OperationCounts
from schemas.tables.peaks import Peaks


class Checked(NamedTuple):
    """Every measurement beside its prediction, and what they say together."""

    checks: Table[Checks]
    metrics: Metrics


def build(
    measurements: Table[Measurements], operation_counts: Table[OperationCounts], peaks: Table[Peaks], defaults: Table[Defaults],
    params: params.Check,
) -> Checked:  # fmt: skip
    """Sets the default utilization against measured training: the time it predicts against the time that was measured."""
    default = values(defaults, "utilization")
    counts = operation_counts.select("architecture_id", "forward_flop", "backward_flop")
    flop_per_second = (nw.col("forward_flop") + nw.col("backward_flop")) * nw.col("examples_per_second")
    measured = gpu_time.utilization_fraction(flop_per_second, nw.col("chips"), nw.col("peak_flop_per_second"))
    time_ratio = nw.col("measured_utilization_fraction") / nw.col("default_utilization_fraction")
    checks = (
        measurements.join(counts, on="architecture_id")
        .join(peaks, on=["hardware_id", "precision"])
        .with_columns(
            measured_utilization_fraction=measured,
            default_utilization_fraction=nw.when(nw.col("network") == "language_transformer")
            .then(nw.lit(default["text"]))
            .when(nw.col("network").str.ends_with("convolution"))
            .then(nw.lit(default["convolution"]))
            .otherwise(nw.lit(default["other"])),
        )
        .with_columns(time_ratio=time_ratio)
        .with_columns(is_within_factor_two=(time_ratio <= params.near_ratio) & (time_ratio >= 1 / params.near_ratio))
    )
    return Checked(checks, _metrics(checks))


def _metrics(checks):
    rows = checks.sort("network", "measurement_id", "row").collect("pyarrow").rows(named=True)
    return Metrics({network: _summary(list(own)) for network, own in groupby(rows, key=lambda row: row["network"])})


def _summary(rows):
    return {
        "rows": len(rows),
        "sources": len({row["measurement_id"] for row in rows}),
        "default_utilization_fraction": rows[0]["default_utilization_fraction"],
        "median_utilization_fraction": round(median(row["measured_utilization_fraction"] for row in rows), 4),
        "share_within_factor_two": round(sum(row["is_within_factor_two"] for row in rows) / len(rows), 4),
    }
