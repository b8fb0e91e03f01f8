"""FLOP of a network by each counter: ours, torch's FlopCounterMode and torch's profiler; raw, and cleaned of known mistakes.

Raw is the counter's own number. Cleaned is FlopCounterMode with the groups of convolutions in the backward pass, and the
profiler without events inside a counted event and without elementwise additions and products, which it alone counts.
"""

from collections.abc import Callable, Iterable, Sequence
from math import prod
from typing import Any

from pipeline.architectures.network import Placed
from pipeline.formulas.layers.count import MULTIPLY_ADD_FLOP
from pipeline.measure.harness.build import network
from pipeline.measure.harness.networks import Network
from pipeline.measure.harness.plan import Options, Task
from pipeline.measure.harness.step import arithmetic, examples, loss_of

ELEMENTWISE = ("aten::add", "aten::mul", "aten::add_", "aten::mul_")
COUNTED_BATCHES = (1, 4)  # two, to see whether a counter is proportional to the batch


def flop(task: Task, subject: Network, options: Options) -> dict[str, Any]:
    """FLOP of one example, forward and backward, by each counter; `ours` by layer kind too.

    {counter: {forward, backward, …}}, in the counter's own FLOP; for a counter that fails {counter: {problem}}.
    """
    by_counter: dict[str, Any] = {"ours": ours(subject.placed(), subject)}
    for name, count in (("flop_counter_mode", _flop_counter_mode), ("torch_profiler", _torch_profiler)):
        try:
            by_counter[name] = count(subject, options)
        except Exception as problem:  # counters raise anything
            by_counter[name] = {"problem": f"{type(problem).__name__}: {' '.join(str(problem).split())[:160]}"}
    return by_counter


def ours(placed: Iterable[Placed], subject: Network) -> dict[str, Any]:
    """Our counts of one example, in sum and by layer kind; `full` counts attention without its mask."""
    by_kind: dict[str, dict[str, float]] = {}
    for layer in placed:
        hidden = layer.count.full_score_flop - layer.count.score_flop
        counts = {
            "forward": layer.count.forward_flop,
            "backward": layer.backward_flop,
            "forward_full": layer.count.forward_flop + hidden,
            "backward_full": layer.backward_flop + 2 * hidden,
        }
        before = by_kind.setdefault(layer.kind, dict.fromkeys(counts, 0))
        by_kind[layer.kind] = {name: before[name] + layer.times * value for name, value in counts.items()}
    sums = {name: sum(kind[name] for kind in by_kind.values()) for name in next(iter(by_kind.values()))}
    counted = {kind: value for kind, value in by_kind.items() if value["forward"]}
    return {**sums, "parameters": subject.totals().parameters, "by_kind": counted}


def _flop_counter_mode(subject: Network, options: Options) -> dict[str, Any]:
    import torch

    # On meta tensors nothing is computed, and LSTM and fused attention are counted, which they are not on a CPU.
    with torch.device("meta"):
        built = network(subject.nodes())
    by_state: dict[str, Any] = {}
    for batch in COUNTED_BATCHES:
        given = examples(built, batch, "meta")
        for state, mapping in (("raw", {}), ("cleaned", _corrected())):
            forward, backward = _passes(built.module.train(), given, mapping)
            by_state.setdefault(state, {})[f"batch_{batch}"] = {"forward": forward, "backward": backward}
    return _per_example(by_state, COUNTED_BATCHES)


def _passes(module: Any, given: Any, mapping: dict[Any, Any]) -> tuple[int, int]:
    from torch.utils.flop_counter import FlopCounterMode

    with FlopCounterMode(display=False, custom_mapping=mapping) as forward:
        loss = loss_of(module(given))
    with FlopCounterMode(display=False, custom_mapping=mapping) as backward:
        loss.backward()
    return forward.get_total_flops(), backward.get_total_flops()


def _corrected() -> dict[Any, Callable[..., int]]:
    """A formula for the backward pass of convolutions that takes their groups into account."""
    import torch

    def backward(gradient: Any, _x: Any, weight: Any, *others: Any, out_shape: Any = None, **_: Any) -> int:
        mask, transposed = others[7], others[4]
        places = (_x if transposed else gradient)[2:]
        # The weight is out x in / groups x kernel. Each of the two gradients costs as much as the forward pass.
        once = MULTIPLY_ADD_FLOP * int(gradient[0]) * prod(places) * prod(weight)
        return once * (int(mask[0]) + int(mask[1]))

    return {torch.ops.aten.convolution_backward: backward}


def _per_example(by_state: dict[str, Any], batches: Sequence[int]) -> dict[str, Any]:
    """The counts of the batch of 1, and whether those of other batches are proportional."""
    counts = by_state["raw"]
    is_proportional = all(
        counts[f"batch_{batch}"][name] == one * batch for batch in batches for name, one in counts["batch_1"].items()
    )
    more = {} if len(batches) == 1 else {"is_proportional_to_batch": is_proportional}
    return {**{state: by_batch["batch_1"] for state, by_batch in by_state.items()}, **more}


def _torch_profiler(subject: Network, options: Options) -> dict[str, Any]:
    import torch

    with torch.device(options.device):
        built = network(subject.nodes())
    by_state: dict[str, Any] = {}
    batches = COUNTED_BATCHES[:1] if options.is_quick else COUNTED_BATCHES
    for batch in batches:
        given = examples(built, batch, options.device)
        with arithmetic("fp32"):
            for name, events in _profiled(built.module.train(), given):
                for state, total in (("raw", raw(events)), ("cleaned", cleaned(events))):
                    by_state.setdefault(state, {}).setdefault(f"batch_{batch}", {})[name] = total
    return _per_example(by_state, batches)


def _profiled(module: Any, given: Any) -> Iterable[tuple[str, list[Any]]]:
    from torch.profiler import ProfilerActivity, profile

    settings = {"activities": [ProfilerActivity.CPU], "with_flops": True}
    with profile(**settings) as forward:  # type: ignore[arg-type]
        loss = loss_of(module(given))
    yield "forward", forward.events()
    with profile(**settings) as backward:  # type: ignore[arg-type]
        loss.backward()
    yield "backward", backward.events()


def raw(events: Iterable[Any]) -> int:
    """FLOP of all events of a profile, as in its own table."""
    return int(sum(event.flops or 0 for event in events))


def cleaned(events: Iterable[Any]) -> int:
    """FLOP of the events that are not elementwise and not inside a counted event."""
    return int(sum(event.flops for event in events if _counts(event) and not _is_inside_a_counted(event)))


def _counts(event: Any) -> bool:
    return bool(event.flops) and event.name not in ELEMENTWISE


def _is_inside_a_counted(event: Any) -> bool:
    parent = event.cpu_parent
    while parent is not None:
        if _counts(parent):
            return True
        parent = parent.cpu_parent
    return False
