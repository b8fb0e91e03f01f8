"""Contract of `dispute_causes`: one row a model whose two methods dispute, with the cause and the numbers of its sentence."""

from schemas import fields
from schemas.table import TableModel


class DisputeCauses(TableModel, grain=("model_id",)):
    """One row a model whose two methods dispute, with the cause and the numbers of its sentence."""

    model_id: fields.model_id
    dispute_cause: fields.dispute_cause
    is_cause_stated: fields.is_cause_stated
    dispute_reason: fields.dispute_reason | None
    method_ratio: fields.method_ratio
    implied_utilization_fraction: fields.implied_utilization_fraction
    default_utilization_fraction: fields.default_utilization_fraction
    is_measured: fields.is_measured
    utilization_low_fraction: fields.utilization_low_fraction | None
    utilization_high_fraction: fields.utilization_high_fraction | None
    ratio_at_predicted: fields.ratio_at_predicted
    ratio_at_other_format: fields.ratio_at_other_format | None
    is_hardware_imputed: fields.is_hardware_imputed
    is_from_parameters: fields.is_from_parameters
    scope: fields.scope
    examples_class: fields.examples_class | None
    is_examples_inconsistent: fields.is_examples_inconsistent
    data_reach_ratio: fields.data_reach_ratio | None
    needed_ratio: fields.needed_ratio
