"""One row a phase."""

from schemas import columns
from schemas.contract import Contract


class OperationEstimates(Contract, grain="model_id phase"):
    model_id = columns.model_id()
    phase = columns.phase()
    utilization_case = columns.utilization_case()
    examples_seen_basis = columns.examples_seen_basis(null=columns.NO_EXAMPLES_SEEN_BASIS)
    examples_class = columns.examples_class(null=columns.NO_EXAMPLES_SEEN_BASIS)
    examples_log_sd = columns.examples_log_sd(null=columns.NO_EXAMPLES_SEEN_BASIS)
    examples_bound = columns.examples_bound(null=columns.NO_BOUND)
    is_examples_inconsistent = columns.is_examples_inconsistent(null=columns.STATED_ONCE)
    counted_parameters = columns.counted_parameters(null=columns.NO_ARCHITECTURE)
    is_stated_in_multiply_adds = columns.is_stated_in_multiply_adds(null=columns.NO_FORWARD_OPERATIONS)
    is_from_parameters = columns.is_from_parameters(null=columns.NO_OPERATIONS)
    forward_flop_per_example = columns.forward_flop_per_example(null=columns.NO_OPERATIONS)
    backward_flop_per_example = columns.backward_flop_per_example(null=columns.NO_OPERATIONS)
    operation_count_basis = columns.operation_count_basis(null=columns.NO_COUNT)
    operation_count_flop = columns.operation_count_flop(null=columns.NO_COUNT)
    full_attention_flop = columns.full_attention_flop(null=columns.NO_COUNT)
    no_scores_flop = columns.no_scores_flop(null=columns.NO_COUNT)
