"""From the nodes of an architecture to a torch network, layer by layer: what our counter counts can be timed.

Weights keep torch's own starting values. torch is imported inside functions, so that the rest can be read without it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from inspect import signature
from typing import Any

from pipeline.architectures.network import (
    Concatenation,
    Frozen,
    Input,
    Layer,
    Node,
    Repeat,
    Side,
    Sum,
)
from pipeline.formulas.layers import KINDS, Shape
from pipeline.measure.harness import attention_layers, layers
from pipeline.measure.harness.layers import BUILDERS, Held, UnbuildableError
from pipeline.measure.modules import wired

__all__ = ["Built", "UnbuildableError", "network"]

_ = attention_layers, layers  # imported so that their kinds are registered


@dataclass(frozen=True)
class Built:
    """A torch network: `module(*inputs)` gives its outputs, the last one being the network's own, the others sides'.

    `inputs` are the shapes of its inputs without the batch; a shape of one axis stands for token ids, of which there are
    `vocabularies` (None for real numbers).
    """

    module: Any
    inputs: tuple[Shape, ...]
    vocabularies: tuple[int | None, ...]


def network(nodes: Sequence[Node]) -> Built:
    """The torch network of these nodes, on torch's default device.

    Raises UnbuildableError, naming the layer, where a layer kind has no module or its arguments have none.
    """
    return _Builder().whole(list(nodes))


@dataclass
class _Builder:
    shape: Shape = ()
    held: Held = field(default_factory=Held)

    def whole(self, nodes: list[Node]) -> Built:
        from torch import nn

        streams = list(_streams(nodes))
        modules, shapes, vocabularies = [], [], []
        for start, inside in streams:
            self.shape = start.shape
            shapes.append(tuple(int(axis) for axis in start.shape))
            vocabularies.append(_vocabulary(inside))
            modules.append(self.path(inside))
            self.held.source_shape = self.shape
        run = self._one if len(modules) == 1 and not self.held.has_sides else self._several
        return Built(run(nn.ModuleList(modules)), tuple(shapes), tuple(vocabularies))

    def _one(self, streams: Any) -> Any:
        return wired(lambda self, x: self.stream(x), stream=streams[0])

    def _several(self, streams: Any) -> Any:
        from torch import nn

        held = self.held

        class Streams(nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.streams = streams

            def forward(self, *inputs: Any) -> tuple[Any, ...]:
                held.sides.clear()
                outputs = []
                for stream, x in zip(self.streams, inputs, strict=True):
                    outputs.append(stream(x))
                    held.source = outputs[-1]
                # What attention or a join has read is no output of its own.
                return (*held.sides, *(outputs[-1:] if held.is_read else outputs))

        return Streams()

    def path(self, nodes: Sequence[Node]) -> Any:
        from torch import nn

        made = [self.node(node) for node in nodes]
        return made[0] if len(made) == 1 else nn.Sequential(*made)

    def node(self, node: Node) -> Any:
        if isinstance(node, Sum):
            return self.sum(node)
        if isinstance(node, Concatenation):
            return self.concatenation(node)
        if isinstance(node, Repeat):
            from torch import nn

            return nn.Sequential(*(self.path(node.nodes) for _ in range(node.times)))
        if isinstance(node, Frozen):
            return self.path(node.nodes).requires_grad_(False)
        if isinstance(node, Side):
            return self.side(node)
        assert isinstance(node, Layer)
        return self.layer(node)

    def sum(self, node: Sum) -> Any:
        start = self.shape
        main = self.path(node.main)
        if not node.shortcut:
            return wired(lambda self, x: self.main(x) + x, main=main)
        self.shape = start
        return wired(lambda self, x: self.main(x) + self.shortcut(x), main=main, shortcut=self.path(node.shortcut))

    def concatenation(self, node: Concatenation) -> Any:
        import torch
        from torch import nn

        start, shapes, made = self.shape, [], []
        for path in node.paths:
            self.shape = start
            made.append(self.path(path))
            shapes.append(self.shape)
        self.shape = (sum(shape[0] for shape in shapes), *shapes[0][1:])
        return wired(lambda self, x: torch.cat([path(x) for path in self.paths], 1), paths=nn.ModuleList(made))

    def side(self, node: Side) -> Any:
        start, held = self.shape, self.held
        path = self.path(node.nodes)
        self.shape, held.has_sides = start, True

        def run(self: Any, x: Any) -> Any:
            held.sides.append(self.path(x))
            return x

        return wired(run, path=path)

    def layer(self, node: Layer) -> Any:
        known = signature(KINDS[node.kind]).parameters
        arguments = {name: each.default for name, each in known.items() if name != "shape"} | node.arguments
        if node.kind not in BUILDERS:
            raise UnbuildableError(f"layer kind {node.kind} has no torch module here")
        if any(axis != int(axis) for axis in self.shape):
            raise UnbuildableError(f"{node.kind}: a mean length ({self.shape[0]:g}) is no shape")
        shape = tuple(int(axis) for axis in self.shape)
        made = self.held.shared(node.kind, arguments) or BUILDERS[node.kind](shape, self.held, **arguments)
        self.held.last[node.kind] = made
        self.shape = KINDS[node.kind](self.shape, **node.arguments).shape
        return made


def _streams(nodes: Sequence[Node]) -> Iterator[tuple[Input, list[Node]]]:
    starts = [index for index, node in enumerate(nodes) if isinstance(node, Input)]
    if not starts or starts[0]:
        raise UnbuildableError("a network begins with an input")
    for start, end in zip(starts, [*starts[1:], len(nodes)], strict=True):
        first = nodes[start]
        assert isinstance(first, Input)
        yield first, list(nodes[start + 1 : end])


def _vocabulary(nodes: Sequence[Node]) -> int | None:
    first = nodes[0] if nodes else None
    while isinstance(first, Frozen | Repeat):
        first = first.nodes[0]
    return int(first.arguments["vocabulary"]) if isinstance(first, Layer) and first.kind == "embedding" else None
