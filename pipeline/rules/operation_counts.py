"""Sums of operations over the layers of a network, in total and by kind of layer."""

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby

import duckdb

from pipeline.formulas.layers import KINDS
from pipeline.formulas.layers.count import LayerCount
from pipeline.formulas.totals import Totals, total
from pipeline.models import sql
from pipeline.models.sql import Row

MOST_REMEMBERED = 10_000  # number of layers to cache; most layers occur several times in a network
Counted = tuple[LayerCount, float, int]  # a layer, its backward FLOP, and its number of occurrences


def by_network(layers: Iterable[Row]) -> tuple[list[Row], list[Row]]:
    """Return the rows of `operation_counts` and `operation_counts_by_kind`; `layers` are sorted by network and kind."""
    networks, kinds = [], []
    for architecture_id, network_rows in groupby(layers, key=lambda row: row["architecture_id"]):
        counted = [(row["layer_kind"], _layer(row)) for row in network_rows]
        networks.append({"architecture_id": architecture_id, **_round(total(layer for _, layer in counted))})
        for kind, layers_of_kind in groupby(counted, key=lambda pair: pair[0]):
            kind_sums = _kind_sums([layer for _, layer in layers_of_kind])
            kinds.append({"architecture_id": architecture_id, "layer_kind": kind, **kind_sums})
    return networks, kinds


def _layer(row: Row) -> Counted:
    count = _count(row["layer_kind"], row["input_shape"], row["arguments"])
    return count, count.backward_flop(row["has_trainable_below"], row["is_frozen"]), row["times"]


@lru_cache(maxsize=MOST_REMEMBERED)
def _count(kind: str, input_shape: str, arguments: str) -> LayerCount:
    return KINDS[kind](tuple(json.loads(input_shape)), **json.loads(arguments))


def _round(sums: Totals) -> Row:
    # Counts are rounded only at the end, because mean sequence lengths are not whole.
    return {name: float(round(amount)) for name, amount in sums._asdict().items()}


def _kind_sums(layers: Sequence[Counted]) -> Row:
    sums = _round(total(layers))
    full, forward = sums.pop("forward_flop_full_attention"), sums.pop("forward_flop")
    number = sum(times for _, _, times in layers)
    return {"layers": number, "kind_forward_flop": forward, "kind_forward_flop_full_attention": full, **sums}


def make(connection: duckdb.DuckDBPyConnection) -> None:
    """Create `operation_counts` and `operation_counts_by_kind` from the connection's `layers`."""
    networks, kinds = by_network(sql.rows(connection.table("layers"), ["architecture_id", "layer_kind"]))
    sql.create(connection, "operation_counts", networks)
    sql.create(connection, "operation_counts_by_kind", kinds)


RULE = sql.PythonRule(("layers",), make)
