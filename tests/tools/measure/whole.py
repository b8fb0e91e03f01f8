"""Torch networks of all nodes that we count: several streams, sides, joined paths, frozen and shared layers.

The timed networks need none of these; these modules compare our counts of other networks with torch's counter.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from pipeline.architectures.network import Concatenation, Frozen, Input, Layer, Node, Repeat, Side
from pipeline.formulas.layers import Shape
from pipeline.tools.measure.build import Builder, vocabulary
from pipeline.tools.measure.layers import UnbuildableError, wired
from tests.tools.measure.modules import torch_module  # noqa: F401 registers those of all kinds


class Whole(NamedTuple):
    """`module(*inputs)` returns the outputs, the sides' first and the network's own last; `inputs` are shapes and vocabularies."""

    module: Any
    inputs: list[tuple[tuple[int, ...], int | None]]


def network(nodes: Sequence[Node]) -> Whole:
    """Return the torch network of these nodes, on torch's default device. Raise UnbuildableError, which names the layer."""
    return _Whole().whole(nodes)


def examples(built: Whole, batch: int, device: str) -> list[Any]:
    """Return random inputs of a batch."""
    import torch

    return [
        (torch.randint(words, (batch, *shape)) if words else torch.randn(batch, *shape)).to(device)
        for shape, words in built.inputs
    ]


class _Whole(Builder):
    def __init__(self) -> None:
        super().__init__()
        self.last: dict[str, Any] = {}  # layer of each kind, which a shared layer repeats
        self.source: Any = None  # the output of the previous stream, set while the network runs
        self.source_shape: Shape = ()
        self.is_source_read = self.has_sides = False
        self.sides: list[Any] = []

    def whole(self, nodes: Sequence[Node]) -> Whole:
        """Return the network of all streams, each beginning with its input."""
        from torch import nn

        modules, inputs = [], []
        for start, inside in _streams(nodes):
            self.shape = start.shape
            inputs.append((tuple(int(axis) for axis in start.shape), vocabulary(_first(inside))))
            modules.append(self.path(inside))
            self.source_shape = self.shape
        run = self.one if len(modules) == 1 and not self.has_sides else self.several
        return Whole(run(nn.ModuleList(modules)), inputs)

    def one(self, streams: Any) -> Any:
        return wired(lambda self, x: self.stream(x), stream=streams[0])

    def several(self, streams: Any) -> Any:
        from torch import nn

        shared = self

        class Streams(nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.streams = streams

            def forward(self, *inputs: Any) -> tuple[Any, ...]:
                shared.sides.clear()
                outputs = []
                for stream, x in zip(self.streams, inputs, strict=True):
                    outputs.append(stream(x))
                    shared.source = outputs[-1]
                # A source that was read is not an output of its own.
                return (*shared.sides, *(outputs[-1:] if shared.is_source_read else outputs))

        return Streams()

    def node(self, node: Node) -> Any:
        if isinstance(node, Concatenation):
            return self.concatenation(node)
        if isinstance(node, Frozen):
            return self.path(node.nodes).requires_grad_(False)
        return self.side(node) if isinstance(node, Side) else super().node(node)

    def concatenation(self, node: Concatenation) -> Any:
        import torch
        from torch import nn

        start, shapes, modules = self.shape, [], []
        for path in node.paths:
            self.shape = start
            modules.append(self.path(path))
            shapes.append(self.shape)
        self.shape = (sum(shape[0] for shape in shapes), *shapes[0][1:])
        return wired(lambda self, x: torch.cat([path(x) for path in self.paths], 1), paths=nn.ModuleList(modules))

    def side(self, node: Side) -> Any:
        start, shared = self.shape, self
        path = self.path(node.nodes)
        self.shape, self.has_sides = start, True

        def forward(self: Any, x: Any) -> Any:
            shared.sides.append(self.path(x))
            return x

        return wired(forward, path=path)

    def new_layer(self, node: Layer) -> Any:
        if node.arguments.get("is_shared") and node.kind in self.last:
            return self.last[node.kind]
        made = super().new_layer(node)
        self.last[node.kind] = self.on_source(node, made) if node.kind in ("cross_attention", "join") else made
        return self.last[node.kind]

    def on_source(self, node: Layer, module: Any) -> Any:
        if node.kind == "join":
            wanted = f"has a width of {node.arguments['width']}"
            is_there = self.source_shape[-1:] == (node.arguments["width"],)
        else:
            size = (node.arguments["source_positions"], node.arguments["source_width"])
            wanted, is_there = f"gives {size[0]:g} x {size[1]}", self.source_shape == size
        if not is_there:
            raise UnbuildableError(f"{node.kind}: no stream before it {wanted}")
        shared, self.is_source_read = self, True
        return wired(lambda self, x: self.layer(x, shared.source), layer=module)


def _streams(nodes: Sequence[Node]) -> list[tuple[Input, list[Node]]]:
    streams: list[tuple[Input, list[Node]]] = []
    for node in nodes:
        if isinstance(node, Input):
            streams.append((node, []))
        else:
            streams[-1][1].append(node)
    return streams


def _first(nodes: Sequence[Node]) -> Node | None:
    first = nodes[0] if nodes else None
    while isinstance(first, Frozen | Repeat):
        first = first.nodes[0]
    return first
