"""Contract of `gpu_time_estimates`: one row an allocation."""

from schemas import fields
from schemas.table import TableModel


class GpuTimeEstimates(TableModel, grain=("model_id", "phase", "allocation")):
    """One row an allocation."""

    model_id: fields.model_id
    phase: fields.phase
    allocation: fields.allocation
    hardware_basis: fields.hardware_basis
    precision: fields.precision
    precision_basis: fields.precision_basis
    format_ratio: fields.format_ratio | None
    chip_seconds: fields.chip_seconds | None
    chip_peak_flop: fields.chip_peak_flop | None
    default_utilization_fraction: fields.default_utilization_fraction
    utilization_fraction: fields.utilization_fraction
    utilization_basis: fields.utilization_basis
    utilization_low_fraction: fields.utilization_low_fraction | None
    utilization_high_fraction: fields.utilization_high_fraction | None
    chip_seconds_class: fields.chip_seconds_class | None
    chip_seconds_log_sd: fields.chip_seconds_log_sd | None
    chip_seconds_bound: fields.chip_seconds_bound | None
    peak_log_sd: fields.peak_log_sd | None
    precision_log_sd: fields.precision_log_sd | None
    chip_peak_log_sd: fields.chip_peak_log_sd | None
    gpu_time_flop: fields.gpu_time_flop | None
    gpu_time_informed_flop: fields.gpu_time_informed_flop | None
    is_from_operations: fields.is_from_operations
