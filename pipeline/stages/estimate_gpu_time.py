"""Estimates the training compute of each allocation by GPU time x peak x utilization: method 2."""

from pipeline.rules.gpu_time_estimates import estimated, with_peaks
from pipeline.rules.utilization.chosen import with_utilization
from schemas.table import Table
from schemas.tables.completed_allocations import CompletedAllocations
from schemas.tables.defaults import Defaults, log_sds, values
from schemas.tables.gpu_time_estimates import GpuTimeEstimates
from schemas.tables.peaks import Peaks
from schemas.tables.utilizations import Utilizations


def build(
    completed_allocations: Table[CompletedAllocations],
    peaks: Table[Peaks],
    utilizations: Table[Utilizations],
    defaults: Table[Defaults],
) -> Table[GpuTimeEstimates]:
    """Estimates the training compute of each allocation by GPU time x peak x utilization: method 2."""
    default, default_log_sd = values(defaults, "utilization"), log_sds(defaults, "utilization")
    stated_log_sd = log_sds(defaults, "utilization_spread")["stated"]
    rated = with_peaks(completed_allocations, peaks, log_sds(defaults, "spread"), values(defaults, "other_format"))
    return estimated(
        with_utilization(rated, utilizations, default, default_log_sd, stated_log_sd, values(defaults, "uncertainty"))
    )
