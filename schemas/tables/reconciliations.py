"""Contract of `reconciliations`: one row a model: the terms of its own headline."""

from schemas import fields
from schemas.table import TableModel


class Reconciliations(TableModel, grain=("model_id",)):
    """One row a model: the terms of the headline of its own training, without base models."""

    model_id: fields.model_id
    operation_count_flop: fields.operation_count_flop | None
    operation_log_sd: fields.operation_log_sd | None
    operation_count_basis: fields.operation_count_basis | None
    examples_class: fields.examples_class | None
    examples_log_sd: fields.examples_log_sd | None
    counted_parameters: fields.counted_parameters | None
    is_convolution: fields.is_convolution | None
    is_from_parameters: fields.is_from_parameters | None
    is_examples_inconsistent: fields.is_examples_inconsistent | None
    is_stated_in_multiply_adds: fields.is_stated_in_multiply_adds | None
    gpu_time_flop: fields.gpu_time_flop | None
    gpu_time_log_sd: fields.gpu_time_log_sd | None
    gpu_time_informed_flop: fields.gpu_time_informed_flop | None
    gpu_time_informed_log_sd: fields.gpu_time_informed_log_sd | None
    gpu_time_used: fields.gpu_time_used | None
    gpu_time_used_reason: fields.gpu_time_used_reason | None
    gpu_time_used_flop: fields.gpu_time_used_flop | None
    gpu_time_used_log_sd: fields.gpu_time_used_log_sd | None
    chip_seconds: fields.chip_seconds | None
    chip_peak_flop: fields.chip_peak_flop | None
    implied_utilization_fraction: fields.implied_utilization_fraction | None
    utilization_ceiling_fraction: fields.utilization_ceiling_fraction
    is_hardware_imputed: fields.is_hardware_imputed | None
    chip_seconds_class: fields.chip_seconds_class | None
    chip_seconds_log_sd: fields.chip_seconds_log_sd | None
    peak_log_sd: fields.peak_log_sd | None
    precision_log_sd: fields.precision_log_sd | None
    format_ratio: fields.format_ratio | None
    other_format_peak_flop: fields.other_format_peak_flop | None
    other_format_share_fraction: fields.other_format_share_fraction | None
    other_format_weight_fraction: fields.other_format_weight_fraction
    utilization_low_fraction: fields.utilization_low_fraction | None
    utilization_high_fraction: fields.utilization_high_fraction | None
    utilization_class: fields.utilization_class | None
    reported_flop: fields.reported_flop | None
    reported_method: fields.reported_method | None
    reported_log_sd: fields.reported_log_sd | None
    reported_unused_reason: fields.reported_unused_reason | None
    independence: fields.independence | None
    shared_input: fields.shared_input | None
    shared_variance: fields.shared_variance
    operation_weight_fraction: fields.operation_weight_fraction | None
    gpu_time_weight_fraction: fields.gpu_time_weight_fraction | None
    reported_weight_fraction: fields.reported_weight_fraction | None
    variance_examples: fields.variance_examples | None
    variance_forward_flop: fields.variance_forward_flop | None
    variance_chip_time: fields.variance_chip_time | None
    variance_peak: fields.variance_peak | None
    variance_precision: fields.variance_precision | None
    variance_utilization: fields.variance_utilization | None
    variance_reported: fields.variance_reported | None
    variance_gross_error: fields.variance_gross_error | None
    own_training_flop: fields.own_training_flop | None
    own_training_flop_low: fields.own_training_flop_low | None
    own_training_flop_p25: fields.own_training_flop_p25 | None
    own_training_flop_p75: fields.own_training_flop_p75 | None
    own_training_flop_high: fields.own_training_flop_high | None
    own_log_sd: fields.own_log_sd | None
    is_bound: fields.is_bound
    headline_method: fields.headline_method | None
