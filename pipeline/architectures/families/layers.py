"""A network written out layer by layer."""

from collections.abc import Iterator
from typing import Any

from pipeline.architectures.arguments import mistakes
from pipeline.architectures.network import (
    ArchitectureError,
    Input,
    Layer,
    Lengths,
    Node,
    Repeat,
    Side,
    family,
    refuse_all,
)
from pipeline.formulas.layers import KINDS
from schemas.spelling import nearest

LENGTH = "sequence_length"
GROUPS = ("layers", "side")
MOST_TIMES = 10_000


@family
class Layers:
    """A network of `layers`, each with its kind and that kind's arguments; `input` states the shape of one example.

    An axis may be the word sequence_length, which stands for the phase's length. A group may replace a layer: either
    `times` and `layers`, to be repeated in sequence, or `side`, layers whose output leaves the network.
    """

    input: dict
    layers: list

    def nodes(self, lengths: Lengths) -> list[Node]:
        """Return the layers as written."""
        refuse_all(self._problems())
        shape = self.input["shape"]
        length = lengths.sequence("layers") if LENGTH in shape else 0
        return [Input(tuple(length if axis == LENGTH else axis for axis in shape)), *_nodes(self.layers)]

    def _problems(self) -> Iterator[ArchitectureError]:
        """Yield all mistakes at once: those in the input, and those in each layer even if the input is wrong."""
        shape = self.input.get("shape")
        if (
            not isinstance(shape, list)
            or not shape
            or not all(axis == LENGTH or (type(axis) is int and 0 < axis < 10**9) for axis in shape)
        ):
            yield ArchitectureError(
                f"input needs a shape of whole numbers above 0, such as [3, 224, 224], or [{LENGTH}], not {shape!r}",
                "input",
            )
        for name in self.input:
            if name != "shape":
                yield ArchitectureError(f"{name!r} is not a key of input{nearest(name, ['shape'])}", "input")
        if not self.layers:
            yield ArchitectureError("layers is empty; state at least one layer", "layers")
        for index, entry in enumerate(self.layers):
            yield from _problems_of_entry(index, str(index), entry, GROUPS)


def _nodes(entries: list) -> list[Node]:
    """Return the nodes of checked entries: layers, side branches and repeated groups."""
    nodes: list[Node] = []
    for entry in entries:
        if "kind" in entry:
            nodes.append(Layer(entry["kind"], {name: value for name, value in entry.items() if name != "kind"}))
        elif "side" in entry:
            nodes.append(Side(_nodes(entry["side"])))
        else:
            nodes.append(Repeat(entry["times"], _nodes(entry["layers"])))
    return nodes


def _problems_of_entry(index: int, place: str, entry: Any, groups: tuple[str, ...]) -> Iterator[ArchitectureError]:
    """Yield the problems of a layer, or of a group of an allowed kind, at `place` in entry `index` of the network."""
    group = next((key for key in groups if isinstance(entry, dict) and key in entry and "kind" not in entry), None)
    if group is None:
        yield from _problems_of_layer(index, place, entry)
        return
    group_keys = {"layers", "times"} if group == "layers" else {"side"}
    times, inner = entry.get("times", 1), entry[group]
    if set(entry) != group_keys or type(times) is not int or not 0 < times <= MOST_TIMES:
        contents = f"times, a whole number from 1 to {MOST_TIMES:,}, and layers" if group == "layers" else "only side"
        yield ArchitectureError(f"layer {place} is a group; it must have {contents}", index)
    elif not isinstance(inner, list) or not inner:
        yield ArchitectureError(f"layer {place}: {group} must be a list of layers", index)
    else:
        for number, inner_entry in enumerate(inner):
            yield from _problems_of_entry(index, f"{place}.{number}", inner_entry, groups[groups.index(group) + 1 :])


def _problems_of_layer(index: int, place: str, entry: Any) -> Iterator[ArchitectureError]:
    """Yield an error for a missing or unknown kind, or else for each wrong argument of the layer at `place`."""
    if not isinstance(entry, dict) or "kind" not in entry:
        yield ArchitectureError(f"layer {place} needs a kind", index)
        return
    kind = entry["kind"]
    if not isinstance(kind, str) or kind not in KINDS:
        yield ArchitectureError(f"{kind!r} is not a layer kind{nearest(kind, KINDS, len(KINDS))}", index)
        return
    label, arguments = f"layer {place} ({kind})", {name: value for name, value in entry.items() if name != "kind"}
    for _, message in mistakes(arguments, KINDS[kind], label, "one of its arguments", f"{label}: "):
        yield ArchitectureError(message, index)
