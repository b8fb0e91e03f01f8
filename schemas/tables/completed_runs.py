"""Contract of `completed_runs`: one row a phase, with the examples seen."""

from schemas import fields
from schemas.table import TableModel


class CompletedRuns(TableModel, grain=("model_id", "phase")):
    """One row a phase, with the examples seen."""

    model_id: fields.model_id
    phase: fields.phase
    architecture_id: fields.architecture_id | None
    utilization_case: fields.utilization_case
    example_unit: fields.example_unit
    examples_seen: fields.examples_seen | None
    examples_seen_basis: fields.examples_seen_basis | None
    examples_class: fields.examples_class | None
    examples_log_sd: fields.examples_log_sd | None
    examples_bound: fields.examples_bound | None
    is_examples_inconsistent: fields.is_examples_inconsistent | None
    architecture_passes_per_example: fields.architecture_passes_per_example | None
    active_parameters: fields.active_parameters | None
    allows_2n_rule: fields.allows_2n_rule
    stated_forward_flop: fields.stated_forward_flop | None
    is_stated_in_multiply_adds: fields.is_stated_in_multiply_adds | None
    connections: fields.connections | None
    is_forward_only: fields.is_forward_only
    has_frozen_weights: fields.has_frozen_weights
    stated_utilization_fraction: fields.stated_utilization_fraction | None
    stated_utilization_basis: fields.stated_utilization_basis | None
