"""One row a phase, with the examples seen."""

from schemas import columns
from schemas.contract import Contract


class CompletedRuns(Contract, grain="model_id phase"):
    model_id = columns.model_id()
    phase = columns.phase()
    architecture_id = columns.architecture_id(null=columns.NO_ARCHITECTURE)
    utilization_case = columns.utilization_case()
    example_unit = columns.example_unit()
    examples_seen = columns.examples_seen(null=columns.NO_EXAMPLES_SEEN)
    examples_seen_basis = columns.examples_seen_basis(null=columns.NO_EXAMPLES_SEEN_BASIS)
    examples_class = columns.examples_class(null=columns.NO_EXAMPLES_SEEN_BASIS)
    examples_log_sd = columns.examples_log_sd(null=columns.NO_EXAMPLES_SEEN_BASIS)
    examples_bound = columns.examples_bound(null=columns.NO_BOUND)
    is_examples_inconsistent = columns.is_examples_inconsistent(null=columns.STATED_ONCE)
    architecture_passes_per_example = columns.architecture_passes_per_example(null=columns.NO_PASSES)
    active_parameters = columns.active_parameters(null=columns.NOT_STATED)
    allows_2n_rule = columns.allows_2n_rule()
    stated_forward_flop = columns.stated_forward_flop(null=columns.NOT_STATED)
    is_stated_in_multiply_adds = columns.is_stated_in_multiply_adds(null=columns.NO_FORWARD_OPERATIONS)
    connections = columns.connections(null=columns.NOT_STATED)
    is_forward_only = columns.is_forward_only()
    has_frozen_weights = columns.has_frozen_weights()
    stated_utilization_fraction = columns.stated_utilization_fraction(null=columns.NOT_STATED)
    stated_utilization_basis = columns.stated_utilization_basis(null=columns.NOT_STATED)
