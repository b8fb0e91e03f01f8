"""A case of the audit: a small network for the formulas, the slow loops and torch."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from inspect import signature
from typing import Any

from pipeline.architectures.network import Input, Layer, Node, Placed, place
from pipeline.formulas.layers import KINDS, LayerCount
from tests.tools.measure.audit.loops import LEARNED, LOOPS, Tally
from tests.tools.measure.modules import torch_module

PASSES = ("forward", "backward", "first_backward")
# A layer of a case has no biases unless the case sets them, because biases add operations that are not products.
WITHOUT_BIASES = {"has_bias": False, "bias_vectors": 0}


@dataclass(frozen=True, eq=False)
class Case:
    """One network to count. `shape` is without the batch; with a `vocabulary`, the input is token ids.

    `source` is the shape of a second input. `passes` are those in which something is computed. `run` counts one example
    with the slow loops, and `module` builds the network in torch.
    """

    kind: str
    condition: str
    shape: tuple[int, ...]
    nodes: tuple[Node, ...]
    run: Callable[[Tally], Any]
    module: Callable[[], Any]
    batch: int = 1
    vocabulary: int | None = None
    source: tuple[int, ...] | None = None
    passes: tuple[str, ...] = PASSES

    @property
    def name(self) -> str:
        """Return the kind and the condition under which it is counted."""
        return f"{self.kind}: {self.condition}"

    def placed(self, has_trainable_below: bool) -> list[Placed]:
        """Return the layers as the formulas count them; with `has_trainable_below`, a trainable layer is below them."""
        below = [Layer("learned_parameters", {"number": 1})] if has_trainable_below else []
        return list(place([Input(self.shape), *below, *self.nodes]))[len(below) :]

    def ours(self, which: str, change: Callable[[LayerCount], LayerCount] = lambda count: count) -> int:
        """Return the FLOP of the whole batch by the formulas, passing each layer's count through `change`."""
        total: float = 0
        for each in self.placed(which == "backward"):
            count = change(each.count)
            once = count.forward_flop if which == "forward" else each._replace(count=count).backward_flop
            total += once * each.times
        return int(total * self.batch)

    def elementwise(self) -> int:
        """Return the elementwise operations of the whole batch by the formulas, which no total includes."""
        return int(self.batch * sum(each.count.elementwise_flop * each.times for each in self.placed(False)))

    @cache  # noqa: B019 cases live as long as the program
    def tally(self, first_state: int = LEARNED) -> Tally:
        """Return what the slow loops count for all examples of the batch."""
        tally = Tally(first_state)
        for _ in range(self.batch):
            self.run(tally)
        return tally

    def by_hand(self, which: str, first_state: int = LEARNED) -> int:
        """Return the FLOP of the whole batch by the slow loops; `first_state` as in `Tally`."""
        return int(getattr(self.tally(first_state), f"{which}_flop"))


def case(
    kind: str,
    condition: str,
    shape: Sequence[int],
    *,
    batch: int = 1,
    module: Callable[..., Any] | None = None,
    run: Callable[..., Any] | None = None,
    nodes: Sequence[Node] | None = None,
    passes: tuple[str, ...] = PASSES,
    **arguments: Any,
) -> Case:
    """Return a case of one layer, whose arguments go to its formula, its slow loop and its torch module.

    `nodes`, `run` and `module` each replace one of these.
    """
    size, loop = tuple(shape), run or LOOPS[kind]
    counted = _counted(kind, arguments) if nodes is None else {}
    make = (lambda: module(size, **arguments)) if module else (lambda: torch_module(kind, size, counted))
    return Case(
        kind,
        condition,
        size,
        (Layer(kind, counted),) if nodes is None else tuple(nodes),
        lambda tally: loop(tally, size, **arguments),
        make,
        batch,
        arguments.get("vocabulary") if len(size) == 1 else None,
        (arguments["source_positions"], arguments["source_width"]) if "source_width" in arguments else None,
        passes,
    )


def _counted(kind: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    known = signature(KINDS[kind]).parameters
    return {name: value for name, value in WITHOUT_BIASES.items() if name in known} | dict(arguments)
