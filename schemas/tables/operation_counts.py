"""One row a written architecture."""

from schemas import columns
from schemas.contract import Contract


class OperationCounts(Contract, grain="architecture_id"):
    architecture_id = columns.architecture_id()
    parameters = columns.parameters()
    active_parameters = columns.active_parameters()
    forward_flop = columns.forward_flop()
    forward_flop_full_attention = columns.forward_flop_full_attention()
    attention_score_flop = columns.attention_score_flop()
    backward_flop = columns.backward_flop()
    elementwise_flop = columns.elementwise_flop()
