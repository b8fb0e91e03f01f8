"""Networks written as data: nodes in YAML, whose sizes are names, products and sums of products.

Each node is a mapping from a kind of layer to its arguments. `linear: N` is a bias-free layer of width N. Further
nodes: `sum` and `side` have a path of nodes, `both` has two, whose positions follow each other; `times: [number,
[nodes]]` repeats nodes; `when: [size, [nodes]]` has them if the size is not 0; `shape: [...]` begins a path with data of
this shape, and `input: [positions, features, ...]` also has a linear layer to each further width.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, field, make_dataclass
from math import floor, prod
from pathlib import Path
from typing import Any

import yaml

from pipeline.architectures.network import (
    ArchitectureError,
    Concatenation,
    Input,
    Layer,
    Lengths,
    Node,
    Repeat,
    Side,
    Sum,
)

ROUNDING = 1e-6  # tolerated rounding error of quotients
_FILE = Path(__file__).with_name("families.yml")
FAMILIES: dict[str, dict[str, Any]] = yaml.load(_FILE.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)


class Sizes:
    """Sizes of a network by name, from which other sizes are calculated."""

    def __init__(self, values: dict[str, Any]) -> None:
        """Take sizes by name. A size that is absent is 0."""
        self.values = values

    def get(self, setting: str, default: Any = None) -> Any:
        """Return the value of a setting, or the default."""
        return self.values.get(setting, default)

    def need(self, setting: str) -> Any:
        """Return the size of this name."""
        return self.get(setting) or 0

    def amount(self, size: Any) -> Any:
        """Return a number from the name of a size, a product ("/heads" divides), or a sum of products."""
        if isinstance(size, list):
            is_sum = isinstance(size[0], list)
            return sum(map(self.amount, size)) if is_sum else floor(prod(map(self.amount, size)) + ROUNDING)
        if not isinstance(size, str):
            return size
        value = self.need(size.removeprefix("/"))
        return 1 / value if size.startswith("/") else sum(value) if isinstance(value, list) else value


def linear(features: int, has_bias: bool = True) -> Layer:
    """Return a linear layer."""
    return Layer("linear", {"out_features": features, "has_bias": has_bias})


def nodes_of(sizes: Sizes, parts: Sequence[Mapping[str, Any]]) -> list[Node]:
    """Return the nodes that are written in these parts."""
    return [node for part in parts for kind, value in part.items() for node in _nodes(sizes, kind, value)]


def _nodes(sizes: Sizes, kind: str, value: Any) -> list[Node]:
    """Return the node of this kind with this value; with `times` and `input`, several nodes or none."""
    if kind in ("side", "sum"):
        path = nodes_of(sizes, value)
        return [Side(path) if kind == "side" else Sum(path)]
    if kind == "both":
        return [Concatenation([nodes_of(sizes, path) for path in value])]
    if kind == "when":
        return nodes_of(sizes, value[1]) if sizes.get(value[0]) else []
    if kind == "times":
        times, nodes = sizes.amount(value[0]), nodes_of(sizes, value[1])
        return nodes if times == 1 else [Repeat(times, nodes)] if times else []
    if kind in ("input", "shape"):
        numbers = [sizes.amount(size) for size in value]
        axes = len(numbers) if kind == "shape" else 2
        return [Input(tuple(numbers[:axes])), *map(linear, numbers[axes:])]
    short = {"linear": {"out_features": value, "has_bias": False}, "learned_parameters": {"number": value}}
    arguments = value if isinstance(value, dict) else short[kind]
    return [Layer(kind, {name: sizes.amount(size) for name, size in arguments.items()})]


def family_of(name: str) -> Any:
    """Return a family in families.yml as a dataclass. There, a key without a default is a whole number."""
    row = FAMILIES[name]

    def nodes(self: Any, lengths: Lengths) -> list[Node]:
        unit, length = row.get("length"), None
        if unit:
            length = lengths.sequence(name, f", in {unit}" if isinstance(unit, str) else "")
        if isinstance(unit, str) and length != int(length or 0):
            message = f"sequence_length must be a whole number of {unit}, not {length:g}"
            raise ArchitectureError(message, "sequence_length")
        return nodes_of(Sizes({**asdict(self), "sequence_length": length}), row["nodes"])

    keys = [
        (key, int) if default is None else (key, type(default), field(default=default))
        for key, default in row["keys"].items()
    ]
    return make_dataclass(name, keys, frozen=True, namespace={"nodes": nodes})
