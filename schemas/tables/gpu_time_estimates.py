"""One row an allocation."""

from schemas import columns
from schemas.contract import Contract


class GpuTimeEstimates(Contract, grain="model_id phase allocation"):
    model_id = columns.model_id()
    phase = columns.phase()
    allocation = columns.allocation()
    hardware_basis = columns.hardware_basis()
    precision = columns.precision()
    precision_basis = columns.precision_basis()
    format_ratio = columns.format_ratio(null=columns.NO_OTHER_FORMAT)
    chip_seconds = columns.chip_seconds(null=columns.NO_CHIP_TIME)
    chip_peak_flop = columns.chip_peak_flop(null=columns.NO_GPU_TIME)
    default_utilization_fraction = columns.default_utilization_fraction()
    utilization_fraction = columns.utilization_fraction()
    utilization_basis = columns.utilization_basis()
    utilization_low_fraction = columns.utilization_low_fraction(null=columns.NO_LIKE_MEASUREMENTS)
    utilization_high_fraction = columns.utilization_high_fraction(null=columns.NO_LIKE_MEASUREMENTS)
    chip_seconds_class = columns.chip_seconds_class(null=columns.NO_CHIP_TIME)
    chip_seconds_log_sd = columns.chip_seconds_log_sd(null=columns.NO_CHIP_TIME)
    chip_seconds_bound = columns.chip_seconds_bound(null=columns.NO_BOUND)
    peak_log_sd = columns.peak_log_sd(null=columns.NO_GPU_TIME)
    precision_log_sd = columns.precision_log_sd(null=columns.NO_GPU_TIME)
    chip_peak_log_sd = columns.chip_peak_log_sd(null=columns.NO_GPU_TIME)
    gpu_time_flop = columns.gpu_time_flop(null=columns.NO_GPU_TIME)
    gpu_time_informed_flop = columns.gpu_time_informed_flop(null=columns.NO_GPU_TIME)
    is_from_operations = columns.is_from_operations()
