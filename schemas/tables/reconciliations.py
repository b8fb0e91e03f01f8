"""Contract of `reconciliations`: one row a model: the terms of its own headline, without base models."""

from schemas import fields
from schemas.table import TableModel


class Reconciliations(TableModel, grain=("model_id",)):
    """One row a model: the terms of its own headline, without base models."""

    model_id: fields.model_id
    reported_flop: fields.reported_flop | None
    reported_method: fields.reported_method | None
    shared_input: fields.shared_input | None
    operation_count_flop: fields.operation_count_flop | None
    full_attention_flop: fields.full_attention_flop | None
    no_scores_flop: fields.no_scores_flop | None
    examples_log_sd: fields.examples_log_sd | None
    operation_count_basis: fields.operation_count_basis | None
    examples_class: fields.examples_class | None
    has_count_at_least: fields.has_count_at_least
    has_count_at_most: fields.has_count_at_most
    counted_parameters: fields.counted_parameters | None
    is_convolution: fields.is_convolution
    is_examples_inconsistent: fields.is_examples_inconsistent
    is_from_parameters: fields.is_from_parameters
    is_stated_in_multiply_adds: fields.is_stated_in_multiply_adds
    gpu_time_flop: fields.gpu_time_flop | None
    gpu_time_informed_flop: fields.gpu_time_informed_flop | None
    chip_peak_flop: fields.chip_peak_flop | None
    chip_peak_log_sd: fields.chip_peak_log_sd | None
    chip_seconds: fields.chip_seconds | None
    utilization_basis: fields.utilization_basis | None
    chip_seconds_class: fields.chip_seconds_class | None
    utilization_low_fraction: fields.utilization_low_fraction | None
    utilization_high_fraction: fields.utilization_high_fraction | None
    format_ratio: fields.format_ratio | None
    is_from_operations: fields.is_from_operations
    is_time_bound: fields.is_time_bound
    independence: fields.independence | None
    implied_utilization_fraction: fields.implied_utilization_fraction | None
    utilization_ceiling_fraction: fields.utilization_ceiling_fraction
    is_hardware_imputed: fields.is_hardware_imputed | None
    gpu_time_used_reason: fields.gpu_time_used_reason | None
    gpu_time_used_flop: fields.gpu_time_used_flop | None
    headline_method: fields.headline_method | None
    evidence_class: fields.evidence_class | None
    weak_reason: fields.weak_reason | None
    confidence: fields.confidence | None
    own_training_flop: fields.own_training_flop | None
    own_training_flop_p2_5: fields.own_training_flop_p2_5 | None
    own_training_flop_low: fields.own_training_flop_low | None
    own_training_flop_p10: fields.own_training_flop_p10 | None
    own_training_flop_p25: fields.own_training_flop_p25 | None
    own_training_flop_p75: fields.own_training_flop_p75 | None
    own_training_flop_p90: fields.own_training_flop_p90 | None
    own_training_flop_high: fields.own_training_flop_high | None
    own_training_flop_p97_5: fields.own_training_flop_p97_5 | None
    up_log: fields.up_log | None
    down_log: fields.down_log | None
    named_second: fields.named_second | None
    gap_ratio: fields.gap_ratio | None
    reported_unused_reason: fields.reported_unused_reason | None
    nearest_convention: fields.nearest_convention | None
    is_bound: fields.is_bound
