"""A network spelt out layer by layer."""

import inspect
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from pipeline.architectures.network import ArchitectureError, Input, Layer, Lengths, Node, family
from pipeline.formulas.layers import KINDS


@family
@dataclass(frozen=True)
class Layers:
    """`input` states the shape of one example, each of `layers` its kind and that kind's arguments."""

    input: dict
    layers: list

    def nodes(self, lengths: Lengths) -> list[Node]:
        """The layers as written."""
        shape = self.input.get("shape")
        if (
            not isinstance(shape, list)
            or not shape
            or not all(isinstance(axis, int) and 0 < axis < 10**9 for axis in shape)
        ):
            raise ArchitectureError(
                f"input needs a shape of whole numbers above 0, such as [3, 224, 224], not {shape!r}", "input"
            )
        return [Input(tuple(shape)), *(_layer(index, written) for index, written in enumerate(self.layers))]


def _layer(index: int, written: Any) -> Layer:
    if not isinstance(written, dict) or "kind" not in written:
        raise ArchitectureError(f"layer {index} needs a kind", index)
    arguments = dict(written)
    kind = arguments.pop("kind")
    if kind not in KINDS:
        raise ArchitectureError(f"{kind!r} is not a layer kind{_nearest(kind, list(KINDS))}", index)
    known = [name for name in inspect.signature(KINDS[kind]).parameters if name != "shape"]
    needed = [
        name for name in known if inspect.signature(KINDS[kind]).parameters[name].default is inspect.Parameter.empty
    ]
    for name, value in arguments.items():
        if name not in known:
            raise ArchitectureError(
                f"layer {index} ({kind}): {name!r} is not one of its arguments{_nearest(name, known)}", index
            )
        if not isinstance(value, int):
            raise ArchitectureError(f"layer {index} ({kind}): {name} must be a whole number, not {value!r}", index)
    absent = [name for name in needed if name not in arguments]
    if absent:
        raise ArchitectureError(f"layer {index} ({kind}) needs {', '.join(absent)}", index)
    return Layer(kind, arguments)


def _nearest(word: Any, words: list[str]) -> str:
    close = get_close_matches(str(word), words, n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else f"; known are {', '.join(sorted(words))}"
