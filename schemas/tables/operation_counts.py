"""Contract of `operation_counts`: one row a written architecture."""

from schemas import fields
from schemas.table import TableModel


class OperationCounts(TableModel, grain=("architecture_id",)):
    """One row a written architecture."""

    architecture_id: fields.architecture_id
    parameters: fields.parameters
    active_parameters: fields.active_parameters
    forward_flop: fields.forward_flop
    forward_flop_full_attention: fields.forward_flop_full_attention
    attention_score_flop: fields.attention_score_flop
    backward_flop: fields.backward_flop
    elementwise_flop: fields.elementwise_flop
