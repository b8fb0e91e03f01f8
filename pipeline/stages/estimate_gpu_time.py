"""Estimates the training compute of each allocation by GPU time x peak x utilization: method 2."""

import narwhals as nw

from pipeline.formulas import gpu_time
from pipeline.formulas.uncertainty import spread, variance
from schemas.table import Table
from schemas.tables.completed_allocations import CompletedAllocations
from schemas.tables.defaults import Defaults, log_spreads, values
from schemas.tables.gpu_time_estimates import GpuTimeEstimates
from schemas.tables.peaks import Peaks


def build(
    completed_allocations: Table[CompletedAllocations], peaks: Table[Peaks], defaults: Table[Defaults]
) -> Table[GpuTimeEstimates]:
    """Estimates the training compute of each allocation by GPU time x peak x utilization: method 2."""
    spreads = log_spreads(defaults, "spread")
    by_case = log_spreads(defaults, "utilization")
    stated_spread = log_spreads(defaults, "utilization_spread")["stated"]
    peak = nw.coalesce(nw.col("peak_flop_per_second"), nw.col("default_peak_flop_per_second"))
    peak_spread = nw.coalesce(nw.col("default_peak_log_spread"), nw.lit(spreads["peak"]))
    precision_spread = (
        nw.when(nw.col("precision_basis") == "assumed")
        .then(nw.lit(spreads["precision_inferred"]))
        .otherwise(nw.lit(0.0))
    )
    hours = variance(nw.col("chip_seconds_log_spread"), peak_spread, precision_spread)
    default_spread = _by_case(by_case)
    informed_spread = (
        nw.when(nw.col("stated_utilization_fraction").is_null()).then(default_spread).otherwise(nw.lit(stated_spread))
    )
    known = ~nw.col("chip_peak_flop").is_null()
    return (
        completed_allocations.join(peaks, on=["hardware_id", "precision"], how="left")
        .with_columns(
            chip_peak_flop=gpu_time.training_flop(nw.col("chip_seconds"), peak, 1.0),
            default_utilization_fraction=_by_case(values(defaults, "utilization")),
        )
        .with_columns(
            utilization_fraction=nw.coalesce(
                nw.col("stated_utilization_fraction"), nw.col("default_utilization_fraction")
            ),
            utilization_basis=nw.coalesce(nw.col("stated_utilization_basis"), nw.lit("assumed")),
        )
        .with_columns(
            gpu_time_flop=gpu_time.training_flop(nw.col("chip_seconds"), peak, nw.col("default_utilization_fraction")),
            gpu_time_informed_flop=gpu_time.training_flop(nw.col("chip_seconds"), peak, nw.col("utilization_fraction")),
            gpu_time_log_spread=nw.when(known).then(spread(hours + variance(default_spread))),
            informed_log_spread=nw.when(known).then(spread(hours + variance(informed_spread))),
        )
    )


def _by_case(by_case):
    case = nw.col("utilization_case")
    return (
        nw.when(case == "text")
        .then(nw.lit(by_case["text"]))
        .when(case == "convolution")
        .then(nw.lit(by_case["convolution"]))
        .otherwise(nw.lit(by_case["other"]))
    )
