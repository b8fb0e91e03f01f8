"""One row an allocation, missing facts imputed and marked."""

from schemas import columns
from schemas.contract import Contract


class CompletedAllocations(Contract, grain="model_id phase allocation"):
    model_id = columns.model_id()
    phase = columns.phase()
    allocation = columns.allocation()
    utilization_case = columns.utilization_case()
    hardware_id = columns.hardware_id(null=columns.NO_CHIP)
    hardware_basis = columns.hardware_basis()
    precision = columns.precision()
    precision_basis = columns.precision_basis()
    precision_rule = columns.precision_rule()
    format_ratio = columns.format_ratio(null=columns.NO_OTHER_FORMAT)
    chip_seconds = columns.chip_seconds(null=columns.NO_CHIP_TIME)
    chip_seconds_basis = columns.chip_seconds_basis(null="There is no chip time.")
    chip_seconds_class = columns.chip_seconds_class(null=columns.NO_CHIP_TIME)
    chip_seconds_log_sd = columns.chip_seconds_log_sd(null=columns.NO_CHIP_TIME)
    chip_seconds_bound = columns.chip_seconds_bound(null=columns.NO_BOUND)
    default_peak_flop_per_second = columns.default_peak_flop_per_second(null=columns.NO_DEFAULT_PEAK)
    default_peak_log_sd = columns.default_peak_log_sd(null=columns.NO_DEFAULT_PEAK)
    stated_utilization_fraction = columns.stated_utilization_fraction(null=columns.NOT_STATED)
    stated_utilization_basis = columns.stated_utilization_basis(null=columns.NOT_STATED)
    is_from_operations = columns.is_from_operations()
