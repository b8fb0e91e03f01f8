"""Contract of `operation_estimates`: one row a phase."""

from schemas import fields
from schemas.table import TableModel


class OperationEstimates(TableModel, grain=("model_id", "phase")):
    """One row a phase."""

    model_id: fields.model_id
    phase: fields.phase
    utilization_case: fields.utilization_case
    examples_seen_basis: fields.examples_seen_basis | None
    examples_class: fields.examples_class | None
    examples_log_sd: fields.examples_log_sd | None
    examples_bound: fields.examples_bound | None
    is_examples_inconsistent: fields.is_examples_inconsistent | None
    counted_parameters: fields.counted_parameters | None
    is_stated_in_multiply_adds: fields.is_stated_in_multiply_adds | None
    is_from_parameters: fields.is_from_parameters | None
    forward_flop_per_example: fields.forward_flop_per_example | None
    backward_flop_per_example: fields.backward_flop_per_example | None
    operation_count_basis: fields.operation_count_basis | None
    operation_count_flop: fields.operation_count_flop | None
    full_attention_flop: fields.full_attention_flop | None
    no_scores_flop: fields.no_scores_flop | None
