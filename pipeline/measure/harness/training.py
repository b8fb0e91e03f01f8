"""Times one network at one batch, precision, layout and mode: its passes apart, the whole step, inference, an epoch."""

import math
from time import perf_counter
from typing import Any

from pipeline.measure.harness.clock import second_clock, synchronize, timed
from pipeline.measure.harness.networks import Network
from pipeline.measure.harness.spread import median_seconds
from pipeline.measure.harness.step import Step, arithmetic, prepare
from pipeline.measure.harness.work import LARGEST, Options, Work

PASSES = ("forward", "backward", "update")
MOST_BATCH = 4096


def training(work: Work, subject: Network, options: Options) -> dict[str, Any]:
    """Everything that one work of part `time` measures, in seconds; see the keys.

    Raises UnsupportedError, torch's out-of-memory error, or whatever the network ends in.
    """
    with arithmetic(work.precision):
        batch = largest_batch(work, subject, options) if work.batch == LARGEST else int(work.batch or 1)
        step = prepare(subject, batch, work.precision, work.layout, work.mode, options.device)
        return {
            "batch": batch,
            "precision": work.precision,
            "layout": work.layout,
            "mode": work.mode,
            **_timings(step, batch, options, is_epoch_wanted=batch > 1 or options.is_quick),
        }


def _timings(step: Step, batch: int, options: Options, is_epoch_wanted: bool) -> dict[str, Any]:
    device = options.device
    bounds = {"warm_ups": options.warm_ups, "repeats": options.repeats, "seconds": options.loop_seconds}
    _forget_peak(device)
    found: dict[str, Any] = {"step": timed({"step": step.whole}, device, **bounds)["step"]}
    found["peak_memory_bytes"] = _peak_memory_bytes(device)
    found["passes"] = timed({name: getattr(step, name) for name in PASSES}, device, **bounds)
    found["with_profiler"] = _with_profiler(step, device, bounds)
    found["second_clock"] = {"wall": second_clock(step.whole, max(1, found["step"]["wall"]["repeats"] // 3))}
    if is_epoch_wanted:
        found["epoch"] = epoch(step, batch, options, float(median_seconds(found["step"]) or 1.0))
    step.module.eval()
    found["inference"] = timed({"inference": step.infer}, device, **bounds)["inference"]
    return found


def _with_profiler(step: Step, device: str, bounds: dict[str, Any]) -> dict[str, Any]:
    """The step again with torch's profiler attached and counting, as the P100 study timed it."""
    from torch.profiler import ProfilerActivity, profile

    activities = [ProfilerActivity.CPU, *([] if device == "cpu" else [ProfilerActivity.CUDA])]
    few = {**bounds, "warm_ups": 1, "repeats": min(5, bounds["repeats"])}
    with profile(activities=activities, with_flops=True, record_shapes=True):
        return timed({"step": step.whole}, device, **few)["step"]


def epoch(step: Step, batch: int, options: Options, step_seconds: float) -> dict[str, Any]:
    """An epoch from the host's memory, its passes apart: seconds in all and by pass, of `examples` examples.

    Where an epoch would take longer than may be, as many whole batches as fit are run; `is_whole` says which.
    """
    wanted = math.ceil(options.epoch_examples / batch)
    steps = max(1, min(wanted, int(options.epoch_seconds / step_seconds)))
    device = options.device
    sums = dict.fromkeys(PASSES, 0.0)
    marks: list[list[Any]] = []
    synchronize(device)
    start = perf_counter()
    for _ in range(steps):
        step.fetch()
        marks.append([_mark(device)])
        for name in PASSES:
            getattr(step, name)()
            marks[-1].append(_mark(device))
    synchronize(device)
    seconds = perf_counter() - start
    for mark in marks:
        for name, before, after in zip(PASSES, mark, mark[1:], strict=False):
            sums[name] += after - before if device == "cpu" else before.elapsed_time(after) / 1000
    return {
        "examples": steps * batch,
        "steps": steps,
        "is_whole": steps == wanted,
        "seconds": seconds,
        "passes_seconds": sums,
    }


def _mark(device: str) -> Any:
    # On a GPU an event, which does not make the host wait, so that the epoch runs as it would without being timed.
    if device == "cpu":
        return perf_counter()
    import torch

    event = torch.cuda.Event(enable_timing=True)
    event.record()
    return event


def largest_batch(work: Work, subject: Network, options: Options) -> int:
    """The largest power of two whose training step fits into the device's memory, from the network's own batches upwards."""
    import gc

    import torch

    fits, batch = 0, min(MOST_BATCH, max(subject.batches))
    while batch <= MOST_BATCH:
        try:
            step = prepare(subject, batch, work.precision, work.layout, "eager", options.device)
            step.whole()
            step.whole()  # the second one has the optimizer's state
            synchronize(options.device)
        except torch.OutOfMemoryError:
            if fits or batch == 1:
                break
            batch //= 4  # the loop below goes up again by two
        else:
            fits = batch
        step = None  # type: ignore[assignment]
        gc.collect()
        torch.cuda.empty_cache()
        batch = max(1, batch * 2)
    if not fits:
        raise torch.OutOfMemoryError("not even one example fits into the device's memory")
    return fits


def _forget_peak(device: str) -> None:
    if device != "cpu":
        import torch

        torch.cuda.reset_peak_memory_stats(device)


def _peak_memory_bytes(device: str) -> int | None:
    if device == "cpu":
        return None
    import torch

    return int(torch.cuda.max_memory_allocated(device))


def layers(work: Work, subject: Network, options: Options) -> dict[str, Any]:
    """Each different layer of a network alone, forward and backward in seconds, with its FLOP of the batch by our counter.

    A layer's backward pass has a gradient of its input where something trainable lies below it in the network. Sums of
    paths have no row. Raises nothing for a layer that cannot stand alone: its row says why.
    """
    from pipeline.measure.harness.build import UnbuildableError

    batch, rows, found = int(work.batch or 1), [], {}
    for each in subject.placed():
        key = (each.kind, each.input_shape, repr(sorted(each.arguments.items())), each.has_trainable_below)
        before = found.get(key)
        found[key] = each if before is None else before._replace(times=before.times + each.times)
    bounds = {"warm_ups": options.warm_ups, "repeats": options.repeats, "seconds": options.loop_seconds / 20}
    with arithmetic("fp32"):
        for each in found.values():
            row = {
                "kind": each.kind,
                "input_shape": list(each.input_shape),
                "arguments": {name: value for name, value in each.arguments.items() if value is not None},
                "times": each.times,
                "has_trainable_below": each.has_trainable_below,
                "forward_flop": batch * each.count.forward_flop,
                "backward_flop": batch * each.backward_flop,
            }
            try:
                row |= _alone(each, batch, options.device, bounds)
            except UnbuildableError as problem:
                row["problem"] = str(problem)
            rows.append(row)
    return {"batch": batch, "layers": rows}


def _alone(each: Any, batch: int, device: str, bounds: dict[str, Any]) -> dict[str, Any]:
    import torch

    from pipeline.architectures.network import Input, Layer
    from pipeline.measure.harness.build import network
    from pipeline.measure.harness.step import examples

    own = {name: False if name in ("is_tied", "is_shared") else value for name, value in each.arguments.items()}
    with torch.device(device):
        built = network([Input(each.input_shape), Layer(each.kind, own)])
    module = built.module.train()
    inputs = examples(built, batch, device)
    for x in inputs:
        if x.is_floating_point():
            x.requires_grad_(each.has_trainable_below)
    held: dict[str, Any] = {}

    def forward() -> None:
        held["out"] = module(*inputs)

    def backward() -> None:
        for x in (*inputs, *module.parameters()):
            x.grad = None
        held["out"].backward(held["gradient"])

    forward()
    if not held["out"].requires_grad:
        return {"forward": timed({"forward": forward}, device, **bounds)["forward"], "backward": None}
    held["gradient"] = torch.ones_like(held["out"])
    return timed({"forward": forward, "backward": backward}, device, **bounds)
