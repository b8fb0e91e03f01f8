"""From the nodes of an architecture to a torch network, layer by layer: what our counter counts can be timed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
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
from pipeline.measure.layers import UnbuildableError, torch_module, wired


@dataclass(frozen=True)
class Built:
    """A torch network: `module(*inputs)` gives its outputs, the sides' first and the network's own last.

    `inputs` are the shapes of its inputs without the batch; a shape of one axis is that of token ids, of which there are
    `vocabularies` (None for real numbers).
    """

    module: Any
    inputs: tuple[Shape, ...]
    vocabularies: tuple[int | None, ...]


def network(nodes: Sequence[Node]) -> Built:
    """The torch network of these nodes, on torch's default device.

    Raises UnbuildableError, naming the layer, where a layer kind or its arguments have no module.
    """
    return _Builder().whole(list(nodes))


@dataclass
class _Shared:
    """What layers of one network share: the embedding's table, the last layer of each kind, side outputs, and a source.

    The source is the output of the stream before, set while the network runs; cross-attention and joins read it.
    """

    table: Any = None
    last: dict[str, Any] = field(default_factory=dict)
    source: Any = None
    source_shape: Shape = ()
    is_source_read: bool = False
    has_sides: bool = False
    sides: list[Any] = field(default_factory=list)


@dataclass
class _Builder:
    shape: Shape = ()
    shared: _Shared = field(default_factory=_Shared)

    def whole(self, nodes: list[Node]) -> Built:
        """The network of all streams, each beginning with its input."""
        from torch import nn

        modules, shapes, vocabularies = [], [], []
        for start, inside in _streams(nodes):
            self.shape = start.shape
            shapes.append(tuple(int(axis) for axis in start.shape))
            vocabularies.append(_vocabulary(inside))
            modules.append(self.path(inside))
            self.shared.source_shape = self.shape
        run = self._one if len(modules) == 1 and not self.shared.has_sides else self._several
        return Built(run(nn.ModuleList(modules)), tuple(shapes), tuple(vocabularies))

    def _one(self, streams: Any) -> Any:
        return wired(lambda self, x: self.stream(x), stream=streams[0])

    def _several(self, streams: Any) -> Any:
        from torch import nn

        shared = self.shared

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
                # A source that was read is no output of its own.
                return (*shared.sides, *(outputs[-1:] if shared.is_source_read else outputs))

        return Streams()

    def path(self, nodes: Sequence[Node]) -> Any:
        """The modules of these nodes, one after the other."""
        from torch import nn

        modules = [self.node(node) for node in nodes]
        return modules[0] if len(modules) == 1 else nn.Sequential(*modules)

    def node(self, node: Node) -> Any:
        """The module of one node. Leaves `shape` as that of its output."""
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
        """A main path added to a shortcut, or to its input."""
        start = self.shape
        main = self.path(node.main)
        if not node.shortcut:
            return wired(lambda self, x: self.main(x) + x, main=main)
        self.shape = start
        return wired(lambda self, x: self.main(x) + self.shortcut(x), main=main, shortcut=self.path(node.shortcut))

    def concatenation(self, node: Concatenation) -> Any:
        """Paths from one input, whose channels are joined."""
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
        """A path whose output leaves the network beside the main one."""
        start, shared = self.shape, self.shared
        path = self.path(node.nodes)
        self.shape, shared.has_sides = start, True

        def forward(self: Any, x: Any) -> Any:
            shared.sides.append(self.path(x))
            return x

        return wired(forward, path=path)

    def layer(self, node: Layer) -> Any:
        """The module of a layer; a shared one is that of the last layer of its kind."""
        last = self.shared.last
        is_again = node.arguments.get("is_shared") and node.kind in last
        module = last[node.kind] = last[node.kind] if is_again else self.new_layer(node)
        self.shape = KINDS[node.kind](self.shape, **node.arguments).shape
        return module

    def new_layer(self, node: Layer) -> Any:
        """A layer of its own, its weights tied to the embedding's where it says so. Raises UnbuildableError."""
        module = torch_module(node.kind, self.shape, node.arguments)
        if node.kind in ("cross_attention", "join"):
            return self.on_source(node, module)
        if node.kind == "embedding":
            self.shared.table = module.weight
        if node.arguments.get("is_tied"):
            table = self.shared.table
            if table is None or table.shape != module.weight.shape:
                raise UnbuildableError(f"{node.kind}: there is no embedding of its size to be tied to")
            module.weight = table
        return module

    def on_source(self, node: Layer, module: Any) -> Any:
        """A layer that also reads the stream before. Raises UnbuildableError where that has another size."""
        shared = self.shared
        if node.kind == "join":
            wanted = f"has a width of {node.arguments['width']}"
            is_there = shared.source_shape[-1:] == (node.arguments["width"],)
        else:
            size = (node.arguments["source_positions"], node.arguments["source_width"])
            wanted, is_there = f"gives {size[0]:g} x {size[1]}", shared.source_shape == size
        if not is_there:
            raise UnbuildableError(f"{node.kind}: no stream before it {wanted}")
        shared.is_source_read = True
        return wired(lambda self, x: self.layer(x, shared.source), layer=module)


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
