"""Counts the operations of every written architecture, layer by layer, in whole numbers."""

import json
from itertools import groupby

from pipeline.formulas.layers import KINDS
from schemas.table import Table
from schemas.tables.layers import Layers
from schemas.tables.operation_counts import OperationCounts


def build(layers: Table[Layers]) -> Table[OperationCounts]:
    """Counts the operations of every written architecture, layer by layer, in whole numbers."""
    rows = layers.sort("architecture_id", "layer_index").collect("pyarrow").rows(named=True)
    return [_count(identifier, list(own)) for identifier, own in groupby(rows, key=lambda row: row["architecture_id"])]


def _count(architecture_id, rows):
    total = dict.fromkeys(
        ("parameters", "active_parameters", "forward_flop", "forward_flop_full_attention", "attention_score_flop", "backward_flop", "elementwise_flop"),
        0,
    )  # fmt: skip
    for row in rows:
        layer = KINDS[row["layer_kind"]](tuple(json.loads(row["input_shape"])), **json.loads(row["arguments"]))
        total["parameters"] += layer.parameters
        total["active_parameters"] += layer.active_parameters
        total["forward_flop"] += layer.forward_flop
        total["forward_flop_full_attention"] += layer.matrix_flop + layer.full_score_flop
        total["attention_score_flop"] += layer.score_flop
        total["backward_flop"] += layer.backward_flop(row["has_trainable_below"])
        total["elementwise_flop"] += layer.elementwise_flop
    return {"architecture_id": architecture_id, **{name: float(round(count)) for name, count in total.items()}}
