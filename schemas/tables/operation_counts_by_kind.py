"""One row a written architecture and kind of layer; a multiply-add is 2 FLOP, attention counts the query-key pairs of its definition."""

from schemas import columns
from schemas.contract import Contract


class OperationCountsByKind(Contract, grain="architecture_id layer_kind"):
    architecture_id = columns.architecture_id()
    layer_kind = columns.layer_kind()
    layers = columns.layers()
    parameters = columns.parameters()
    active_parameters = columns.active_parameters()
    kind_forward_flop = columns.kind_forward_flop()
    kind_forward_flop_full_attention = columns.kind_forward_flop_full_attention()
    attention_score_flop = columns.attention_score_flop()
    backward_flop = columns.backward_flop()
    elementwise_flop = columns.elementwise_flop()
