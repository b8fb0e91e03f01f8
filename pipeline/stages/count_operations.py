"""Counts the operations of every written architecture, layer by layer, in whole numbers."""

import json
from itertools import groupby

from pipeline.formulas.layers import KINDS
from pipeline.formulas.totals import total
from schemas.table import Table
from schemas.tables.layers import Layers
from schemas.tables.operation_counts import OperationCounts


def build(layers: Table[Layers]) -> Table[OperationCounts]:
    """Counts the operations of every written architecture, layer by layer, in whole numbers."""
    rows = layers.sort("architecture_id", "layer_index").collect("pyarrow").rows(named=True)
    return [_count(identifier, list(own)) for identifier, own in groupby(rows, key=lambda row: row["architecture_id"])]


def _count(architecture_id, rows):
    sums = total(_layer(row) for row in rows)
    # Mean sequence lengths are not whole, so counts are rounded once, at the end.
    return {
        "architecture_id": architecture_id,
        **{name: float(round(amount)) for name, amount in sums._asdict().items()},
    }


def _layer(row):
    count = KINDS[row["layer_kind"]](tuple(json.loads(row["input_shape"])), **json.loads(row["arguments"]))
    return count, count.backward_flop(row["has_trainable_below"], row["is_frozen"]), row["times"]
