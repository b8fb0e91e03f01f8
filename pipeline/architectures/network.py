"""Nodes of networks (such as inputs, layers and sums of two paths), and the inference of their shapes."""

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, Protocol, dataclass_transform

from pipeline.formulas.layers import KINDS, LayerCount, LayerError, Shape, UnknownWordError
from pipeline.formulas.layers.sizes import shape_text, share_weights
from schemas.spelling import nearest


@dataclass(frozen=True)
class Lengths:
    """Sequence lengths of a phase, in positions; None if the phase states none."""

    sequence_length: float | None = None
    target_length: float | None = None

    def sequence(self, family: str, unit: str = "") -> float:
        """Return the sequence length. Raise ArchitectureError, with `unit` after the key, if it is missing."""
        if self.sequence_length is None:
            raise ArchitectureError(f"family {family} needs the phase's sequence_length{unit}", "sequence_length")
        return self.sequence_length

    def pair(self, family: str, units: tuple[str, str] = ("", "")) -> tuple[float, float]:
        """Return the sequence length and the target length. Raise ArchitectureError if one is missing."""
        for name, length in vars(self).items():
            if length is None:
                message = f"family {family} needs the phase's sequence_length{units[0]} and target_length{units[1]}"
                raise ArchitectureError(message, name)
        return self.sequence_length or 0, self.target_length or 0


class ArchitectureError(ValueError):
    """Raised if an architecture cannot be counted; `key` is the wrong key of the record, if there is one.

    `others` are further problems of the same architecture.
    """

    def __init__(self, message: str, key: str | int | None = None) -> None:
        super().__init__(message)
        self.key = key
        self.others: tuple[ArchitectureError, ...] = ()


def refuse_all(problems: Iterator[ArchitectureError]) -> None:
    """Raise the first problem, with the others attached; do nothing if there are none."""
    all_problems = list(problems)
    if all_problems:
        all_problems[0].others = tuple(all_problems[1:])
        raise all_problems[0]


@dataclass(frozen=True)
class Input:
    """A new input of this shape: raw data, without trainable parameters below it."""

    shape: Shape


@dataclass(frozen=True)
class Layer:
    """A layer; `kind` names a function in formulas/layers/, and `arguments` are its arguments."""

    kind: str
    arguments: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Sum:
    """Two paths from one input whose outputs are added; an empty path passes the input on."""

    main: "Sequence[Node]"
    shortcut: "Sequence[Node]" = ()


@dataclass(frozen=True)
class Side:
    """A path whose output leaves the network, such as a head; the main path continues from the same input."""

    nodes: "Sequence[Node]"


@dataclass(frozen=True)
class Concatenation:
    """Paths from one input with outputs joined along the first axis (channels); an empty path passes the input on."""

    paths: "Sequence[Sequence[Node]]"


@dataclass(frozen=True)
class Repeat:
    """The same nodes `times` times in sequence; their output shape must equal their input shape.

    If `is_shared`, they reuse the weights of earlier layers.
    """

    times: int
    nodes: "Sequence[Node]"
    is_shared: bool = False


@dataclass(frozen=True)
class Frozen:
    """Nodes whose weights are not trained."""

    nodes: "Sequence[Node]"


Node = Input | Layer | Sum | Side | Concatenation | Repeat | Frozen


class Placed(NamedTuple):
    """A layer at its place in the network, with its input shape and whether anything below it is trainable."""

    name: str
    kind: str
    input_shape: Shape
    arguments: dict[str, Any]
    has_trainable_below: bool
    count: LayerCount
    is_frozen: bool = False
    times: int = 1

    @property
    def backward_flop(self) -> float:
        """Return the layer's backward FLOP per example, without the input's gradient if nothing below is trainable."""
        return self.count.backward_flop(self.has_trainable_below, self.is_frozen)


class Family(Protocol):
    """The settings of a family of networks; `nodes` builds its layers from them."""

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return the layers for sequences of these lengths."""
        ...


class _Families(Mapping[str, Callable[..., Family]]):
    """All families, by the name of their file in families/ or in families.yml; a file is imported on first use."""

    def __init__(self) -> None:
        folder = Path(__file__).parent
        files = {file.stem for file in (folder / "families").glob("*.py") if file.stem != "__init__"}
        self._written = {*re.findall(r"(?m)^\w+", (folder / "families.yml").read_text(encoding="utf-8"))}
        self._names = sorted(files | self._written)

    def __getitem__(self, name: str) -> Callable[..., Family]:
        if name not in self._names:
            raise KeyError(name)
        if name in self._written:
            return import_module(f"{__package__}.node_networks").family_of(name)  # type: ignore[no-any-return]
        family_class: Callable[..., Family] = import_module(f"{__package__}.families.{name}").FAMILY
        return family_class

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


FAMILIES = _Families()


@dataclass_transform(frozen_default=True)
def family(kind: Any) -> Any:
    """Make a class a frozen dataclass and register it as the family of its file. Records name a family by its file."""
    family_class = dataclass(frozen=True)(kind)
    sys.modules[kind.__module__].FAMILY = family_class  # type: ignore[attr-defined]
    return family_class


MOST_STAGES = 16


def refuse_uneven_stages(depths: list, widths: list, widths_key: str = "widths") -> None:
    """Raise ArchitectureError unless `depths` and `widths` are lists of whole numbers above 0, one number per stage."""
    for key, numbers in (("depths", depths), (widths_key, widths)):
        if not numbers or not all(type(number) is int and 0 < number < 100_000 for number in numbers):
            raise ArchitectureError(f"{key} must be whole numbers above 0 and below 100,000, not {numbers!r}", key)
    if len(depths) != len(widths):
        raise ArchitectureError(f"depths has {len(depths)} stages, but {widths_key} has {len(widths)}", widths_key)
    if len(depths) > MOST_STAGES:
        raise ArchitectureError(f"depths has {len(depths)} stages, more than possible ({MOST_STAGES})", "depths")


def place(nodes: Sequence[Node]) -> Iterator[Placed]:
    """Yield the layers of a network in order, each with its input shape, inferred from the first input.

    Raise ArchitectureError, with layers and shapes, if layers do not fit together.
    """
    yield from _Placement().path(nodes, "")


class _Placement:
    def __init__(self) -> None:
        self.shape: Shape | None = None
        self.is_trainable = False
        self.is_frozen = False
        self.before = "the input"

    def path(self, nodes: Sequence[Node], prefix: str) -> Iterator[Placed]:
        """Yield the layers of consecutive nodes; the layers' names begin with the prefix."""
        index = -1
        for node in nodes:
            if isinstance(node, Input):
                self.shape, self.is_trainable, self.before = node.shape, False, "the input"
                continue
            index += 1  # inputs are not numbered, so that a layer's number is its position in the record
            name = f"{prefix}{index}"
            if isinstance(node, Sum):
                yield from self.sum(node, name)
            elif isinstance(node, Concatenation):
                yield from self.concatenation(node, name)
            elif isinstance(node, Frozen):
                was_frozen, self.is_frozen = self.is_frozen, True
                yield from self.path(node.nodes, f"{name}.")
                self.is_frozen = was_frozen
            elif isinstance(node, Repeat):
                yield from self.repeat(node, name)
            elif isinstance(node, Side):
                start = self.shape, self.is_trainable, self.before
                yield from self.path(node.nodes, f"{name}.side.")
                self.shape, self.is_trainable, self.before = start
            else:
                yield self.layer(node, name)

    def sum(self, node: Sum, name: str) -> Iterator[Placed]:
        """Yield the layers of both paths. Raise ArchitectureError if their outputs differ in shape."""
        start = self.shape, self.is_trainable, self.before
        yield from self.path(node.main, f"{name}.main.")
        main_shape, main_trainable, main_end = self.shape, self.is_trainable, self.before
        self.shape, self.is_trainable, self.before = start
        yield from self.path(node.shortcut, f"{name}.shortcut.")
        if self.shape != main_shape:
            raise ArchitectureError(
                f"{main_end} gives {shape_text(main_shape)} and {self.before} gives {shape_text(self.shape)}: they cannot be added"
            )
        self.is_trainable |= main_trainable

    def concatenation(self, node: Concatenation, name: str) -> Iterator[Placed]:
        """Yield the layers of all paths. Raise ArchitectureError if their outputs differ in any axis but the first."""
        start = self.shape, self.is_trainable, self.before
        shapes, labels, is_trainable = [], [], self.is_trainable
        for index, path in enumerate(node.paths):
            self.shape, self.is_trainable, self.before = start
            yield from self.path(path, f"{name}.{index}.")
            shapes.append(self.shape or ())
            labels.append(self.before)
            is_trainable |= self.is_trainable
            if shapes[-1][1:] != shapes[0][1:]:
                raise ArchitectureError(
                    f"{labels[0]} gives {shape_text(shapes[0])} and {labels[-1]} gives {shape_text(shapes[-1])}: they cannot be joined"
                )
        self.shape, self.is_trainable = (sum(shape[0] for shape in shapes), *shapes[0][1:]), is_trainable

    def repeat(self, node: Repeat, name: str) -> Iterator[Placed]:
        """Yield the layers once, with repetitions. Raise ArchitectureError if the next cannot take the output."""
        start, was_trainable = self.shape, self.is_trainable
        once = list(self.path(node.nodes, f"{name}."))
        if node.is_shared:
            once = [placed._replace(count=share_weights(placed.count)) for placed in once]
        if self.shape != start and node.times > 1:
            raise ArchitectureError(
                f"{self.before} gives {shape_text(self.shape)}, so a layer that takes {shape_text(start)} cannot follow it"
            )
        if was_trainable == self.is_trainable or node.times == 1:
            yield from (placed._replace(times=placed.times * node.times) for placed in once)
            return
        # Only the first repetition has raw input below it.
        yield from once
        yield from (
            placed._replace(times=placed.times * (node.times - 1)) for placed in self.path(node.nodes, f"{name}.")
        )

    def layer(self, node: Layer, name: str) -> Placed:
        """Return the placed layer with its count. Raise ArchitectureError if it cannot take the shape of its input."""
        label = f"layer {name} ({node.kind})"
        if self.shape is None:
            raise ArchitectureError(f"{label} has no input; state input: {{shape: […]}}")
        try:
            count = KINDS[node.kind](self.shape, **node.arguments)
        except LayerError as problem:
            hint = nearest(problem.word, problem.known) if isinstance(problem, UnknownWordError) else ""
            message = f"{label} after {self.before}, which gives {shape_text(self.shape)}: {problem}{hint}"
            raise ArchitectureError(message, int(name.split(".")[0])) from None
        placed = Placed(name, node.kind, self.shape, node.arguments, self.is_trainable, count, self.is_frozen)
        self.shape, self.before = count.shape, label
        self.is_trainable |= count.is_trainable and not self.is_frozen
        return placed
