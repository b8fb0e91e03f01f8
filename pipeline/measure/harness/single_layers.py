"""Times each layer of a network alone, forward and backward."""

from collections.abc import Iterable
from typing import Any

from pipeline.architectures.network import Input, Layer, Placed
from pipeline.measure.harness.build import network
from pipeline.measure.harness.clock import timed
from pipeline.measure.harness.networks import Network
from pipeline.measure.harness.plan import Options, Task
from pipeline.measure.harness.step import arithmetic, examples
from pipeline.measure.layers import OF_THE_NETWORK, UnbuildableError


def layers(task: Task, subject: Network, options: Options) -> dict[str, Any]:
    """Each different layer of a network alone: seconds forward and backward, and its FLOP of the batch by our counter.

    A layer's backward pass has a gradient of its input where something trainable is below it in the network. Sums of paths
    have no row. The row of a layer that has no torch module has the reason under `problem`.
    """
    batch = int(task.batch or 1)
    bounds = {"warm_ups": options.warm_ups, "repeats": options.repeats, "seconds": options.loop_seconds / 20}
    with arithmetic("fp32"):
        rows = [_row(layer, batch, options.device, bounds) for layer in _different(subject.placed())]
    return {"batch": batch, "layers": rows}


def _different(placed: Iterable[Placed]) -> list[Placed]:
    by_key: dict[Any, Placed] = {}
    for layer in placed:
        key = (layer.kind, layer.input_shape, repr(sorted(layer.arguments.items())), layer.has_trainable_below)
        before = by_key.get(key)
        by_key[key] = layer if before is None else before._replace(times=before.times + layer.times)
    return list(by_key.values())


def _row(layer: Placed, batch: int, device: str, bounds: dict[str, Any]) -> dict[str, Any]:
    row = {
        "kind": layer.kind,
        "input_shape": list(layer.input_shape),
        "arguments": {name: value for name, value in layer.arguments.items() if value is not None},
        "times": layer.times,
        "has_trainable_below": layer.has_trainable_below,
        "forward_flop": batch * layer.count.forward_flop,
        "backward_flop": batch * layer.backward_flop,
    }
    try:
        return row | _timings(layer, batch, device, bounds)
    except UnbuildableError as problem:
        return row | {"problem": str(problem)}


def _timings(layer: Placed, batch: int, device: str, bounds: dict[str, Any]) -> dict[str, Any]:
    import torch

    arguments = {name: False if name in OF_THE_NETWORK else value for name, value in layer.arguments.items()}
    with torch.device(device):
        built = network([Input(layer.input_shape), Layer(layer.kind, arguments)])
    module = built.module.train()
    x = examples(built, batch, device)
    if x.is_floating_point():
        x.requires_grad_(layer.has_trainable_below)
    last: dict[str, Any] = {}

    def forward() -> None:
        last["out"] = module(x)

    def backward() -> None:
        for tensor in (x, *module.parameters()):
            tensor.grad = None
        last["out"].backward(last["gradient"])

    forward()
    if not last["out"].requires_grad:
        return {"forward": timed({"forward": forward}, device, **bounds)["forward"], "backward": None}
    last["gradient"] = torch.ones_like(last["out"])
    return timed({"forward": forward, "backward": backward}, device, **bounds)
