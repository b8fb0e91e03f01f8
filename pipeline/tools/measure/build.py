"""Build a torch network, layer by layer, from the nodes of an architecture, so that we time exactly what we count."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.architectures.network import Input, Layer, Node, Repeat, Sum
from pipeline.formulas.layers import KINDS, Shape
from pipeline.tools.measure import torch_on_use as torch
from pipeline.tools.measure.layers import UnbuildableError, torch_module, wired


@dataclass(frozen=True)
class Built:
    """A torch network and its input's shape without the batch. An input of token ids has one axis and a `vocabulary`."""

    module: Any
    shape: tuple[int, ...]
    vocabulary: int | None


def network(nodes: Sequence[Node]) -> Built:
    """Return the torch network for an input node and the nodes after it, on torch's default device.

    Raise UnbuildableError, naming the layer, if no module exists for a node, a layer kind or its arguments.
    """
    start, *inside = nodes
    assert isinstance(start, Input)
    first = inside[0]
    has_words = isinstance(first, Layer) and first.kind == "embedding"
    shape = tuple(int(axis) for axis in start.shape)
    return Built(_Builder(start.shape).path(inside), shape, first.arguments["vocabulary"] if has_words else None)


class _Builder:
    """State while modules are built from nodes, in order. `shape` is the latest output shape, and `table` the embedding's weights."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.table: Any = None

    def path(self, nodes: Sequence[Node]) -> Any:
        """Return one module that runs these nodes in order."""
        modules = [self.node(node) for node in nodes]
        return modules[0] if len(modules) == 1 else torch.nn.Sequential(*modules)

    def node(self, node: Node) -> Any:
        """Return the module for one node, and set `shape` to its output shape."""
        if isinstance(node, Repeat):
            return torch.nn.Sequential(*(self.path(node.nodes) for _ in range(node.times)))
        if isinstance(node, Layer):
            module = self.layer(node)
            self.shape = KINDS[node.kind](self.shape, **node.arguments).shape
            return module
        if not isinstance(node, Sum):
            raise UnbuildableError(f"{type(node).__name__} has no torch module here")
        start = self.shape
        main = self.path(node.main)
        if not node.shortcut:
            return wired(lambda self, x: self.main(x) + x, main=main)
        # Both paths take the same input.
        self.shape = start
        return wired(lambda self, x: self.main(x) + self.shortcut(x), main=main, shortcut=self.path(node.shortcut))

    def layer(self, node: Layer) -> Any:
        """Return the module for a layer, sharing the embedding's weights if `is_tied`. Raise UnbuildableError if there is none."""
        module = torch_module(node.kind, self.shape, node.arguments)
        if node.kind == "embedding":
            self.table = module.weight
        if node.arguments.get("is_tied"):
            if self.table is None or self.table.shape != module.weight.shape:
                raise UnbuildableError(f"{node.kind}: there is no embedding of its size to tie it to")
            module.weight = self.table
        return module
