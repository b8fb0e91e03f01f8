"""Contract of `runs`: one row a phase of training, as its record states it."""

from schemas import columns
from schemas.contract import Contract


class Runs(Contract):
    """One row a phase of training, as its record states it."""

    model_id = columns.model_id()
    phase = columns.phase()
    phase_index = columns.phase_index()
    architecture_id = columns.architecture_id(null=columns.NO_ARCHITECTURE)
    network = columns.network(null=columns.NO_NETWORK)
    accounting = columns.accounting(null=columns.RECORD_SAYS_NOTHING)
    example_unit = columns.example_unit()
    utilization_case = columns.utilization_case()
    examples = columns.examples(null=columns.NOT_STATED)
    epochs = columns.epochs(null=columns.NOT_STATED)
    steps = columns.steps(null=columns.NOT_STATED)
    batch = columns.batch(null=columns.NOT_STATED)
    examples_class = columns.examples_class(null=columns.NO_CLASS_OF_EXAMPLES)
    examples_range_log_sd = columns.examples_range_log_sd(null=columns.NO_RANGE)
    examples_bound = columns.examples_bound(null=columns.NO_BOUND)
    steps_class = columns.steps_class(null=columns.NO_CLASS_OF_STEPS)
    steps_range_log_sd = columns.steps_range_log_sd(null=columns.NO_RANGE)
    steps_bound = columns.steps_bound(null=columns.NO_BOUND)
    lengths_log_sd = columns.lengths_log_sd(null=columns.NO_RANGE_OF_LENGTHS)
    architecture_passes_per_example = columns.architecture_passes_per_example(null=columns.NO_PASSES)
    active_parameters = columns.active_parameters(null=columns.NOT_STATED)
    allows_2n_rule = columns.allows_2n_rule()
    stated_forward_flop = columns.stated_forward_flop(null=columns.NOT_STATED)
    is_stated_in_multiply_adds = columns.is_stated_in_multiply_adds(null=columns.NO_FORWARD_OPERATIONS)
    connections = columns.connections(null=columns.NOT_STATED)
    is_forward_only = columns.is_forward_only()
    has_frozen_weights = columns.has_frozen_weights()
    framework = columns.framework(null=columns.NOT_STATED)
    stated_precision = columns.stated_precision(null=columns.NOT_STATED)
    stated_precision_basis = columns.precision_basis(null=columns.NOT_STATED)
    stated_utilization_fraction = columns.stated_utilization_fraction(null=columns.NOT_STATED)
    stated_utilization_basis = columns.stated_utilization_basis(null=columns.NOT_STATED)
    organization_kind = columns.organization_kind()
    published = columns.published()
    published_year = columns.published_year()

    class Config:
        unique = ["model_id", "phase"]
