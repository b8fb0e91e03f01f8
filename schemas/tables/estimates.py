"""Contract of `estimates`: one row a model."""

from schemas import fields
from schemas.table import TableModel


class Estimates(TableModel, grain=("model_id",)):
    """One row a model."""

    model_id: fields.model_id
    name: fields.name
    organization: fields.organization
    parent_organization: fields.parent_organization | None
    published_date: fields.published_date
    published_precision: fields.published_precision
    domain: fields.domain
    training_flop: fields.training_flop | None
    training_flop_low: fields.training_flop_low | None
    training_flop_high: fields.training_flop_high | None
    confidence: fields.confidence | None
    evidence_class: fields.evidence_class | None
    headline_method: fields.headline_method | None
    operation_count_flop: fields.operation_count_flop | None
    gpu_time_flop: fields.gpu_time_flop | None
    gpu_time_informed_flop: fields.gpu_time_informed_flop | None
    reported_flop: fields.reported_flop | None
    method_ratio: fields.method_ratio | None
    is_disputed: fields.is_disputed | None
    dispute_cause: fields.dispute_cause | None
    independence: fields.independence | None
    training_flop_p2_5: fields.training_flop_p2_5 | None
    training_flop_p10: fields.training_flop_p10 | None
    training_flop_p25: fields.training_flop_p25 | None
    training_flop_p75: fields.training_flop_p75 | None
    training_flop_p90: fields.training_flop_p90 | None
    training_flop_p97_5: fields.training_flop_p97_5 | None
    off_by_two_fraction: fields.off_by_two_fraction | None
    named_second: fields.named_second | None
    gap_ratio: fields.gap_ratio | None
    own_training_flop: fields.own_training_flop | None
    cumulative_flop: fields.cumulative_flop | None
    threshold_total: fields.threshold_total | None
    probability_above_1e23_fraction: fields.probability_above_1e23_fraction | None
    probability_above_1e25_fraction: fields.probability_above_1e25_fraction | None
    probability_above_1e26_fraction: fields.probability_above_1e26_fraction | None
    own_to_base_ratio: fields.own_to_base_ratio | None
    is_bound: fields.is_bound
    parameters: fields.known_parameters | None
    active_parameters: fields.active_parameters | None
    examples_seen: fields.total_examples_seen | None
    example_unit: fields.main_example_unit | None
    hardware: fields.hardware | None
    chips: fields.most_chips | None
    chip_hours: fields.chip_hours | None
    precision: fields.precisions | None
    utilization_fraction: fields.utilization_fraction | None
    implied_utilization_fraction: fields.implied_utilization_fraction | None
    base_model: fields.base_model | None
    scope: fields.scope
    country: fields.country | None
    weights_access: fields.weights_access | None
    energy_kwh: fields.energy_kwh | None
    energy_kwh_low: fields.energy_kwh_low | None
    energy_kwh_high: fields.energy_kwh_high | None
    training_evidence: fields.training_evidence | None
    network_evidence: fields.network_evidence | None
    operation_count_basis: fields.operation_count_basis | None
    hardware_basis: fields.hardware_basis | None
    precision_basis: fields.precision_basis | None
    utilization_basis: fields.utilization_basis | None
    imputed_inputs: fields.imputed_inputs | None
    source_url: fields.source_url | None
    sources: fields.sources
    epoch_name: fields.epoch_name | None
    published: fields.published
