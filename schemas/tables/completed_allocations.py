"""Contract of `completed_allocations`: one row an allocation, missing facts imputed and marked."""

from schemas import fields
from schemas.table import TableModel


class CompletedAllocations(TableModel, grain=("model_id", "phase", "allocation")):
    """One row an allocation, missing facts imputed and marked."""

    model_id: fields.model_id
    phase: fields.phase
    allocation: fields.allocation
    utilization_case: fields.utilization_case
    hardware_id: fields.hardware_id | None
    hardware_basis: fields.hardware_basis
    precision: fields.precision
    precision_basis: fields.precision_basis
    precision_rule: fields.precision_rule
    format_ratio: fields.format_ratio | None
    chip_seconds: fields.chip_seconds | None
    chip_seconds_basis: fields.chip_seconds_basis | None
    chip_seconds_class: fields.chip_seconds_class | None
    chip_seconds_log_sd: fields.chip_seconds_log_sd | None
    chip_seconds_bound: fields.chip_seconds_bound | None
    default_peak_flop_per_second: fields.default_peak_flop_per_second | None
    default_peak_log_sd: fields.default_peak_log_sd | None
    stated_utilization_fraction: fields.stated_utilization_fraction | None
    stated_utilization_basis: fields.stated_utilization_basis | None
    is_from_operations: fields.is_from_operations
