"""One row a layer of a written architecture."""

from schemas import columns
from schemas.contract import Contract


class Layers(Contract, grain="architecture_id layer_index"):
    architecture_id = columns.architecture_id()
    layer_index = columns.layer_index()
    layer_name = columns.layer_name()
    layer_kind = columns.layer_kind()
    input_shape = columns.input_shape()
    arguments = columns.arguments()
    has_trainable_below = columns.has_trainable_below()
    is_frozen = columns.is_frozen()
    times = columns.times()
