"""Contract of `layers`: one row a layer of a written architecture."""

from schemas import fields
from schemas.table import TableModel


class Layers(TableModel, grain=("architecture_id", "layer_index")):
    """One row a layer of a written architecture."""

    architecture_id: fields.architecture_id
    layer_index: fields.layer_index
    layer_name: fields.layer_name
    layer_kind: fields.layer_kind
    input_shape: fields.input_shape
    arguments: fields.arguments
    has_trainable_below: fields.has_trainable_below
    is_frozen: fields.is_frozen
    times: fields.times
