"""Times one network at one batch, precision, layout and mode: the step, its passes, inference and an epoch."""

import math
from time import perf_counter
from typing import Any

from pipeline.measure.harness.clock import second_clock, synchronize, timed
from pipeline.measure.harness.networks import Network
from pipeline.measure.harness.plan import LARGEST, Options, Task
from pipeline.measure.harness.step import Step, arithmetic, prepare
from pipeline.measure.harness.timings import median_seconds

PASSES = ("forward", "backward", "update")
MOST_BATCH = 4096


def training(task: Task, subject: Network, options: Options) -> dict[str, Any]:
    """The result of a task of part `time`, in seconds.

    Raises UnsupportedError, torch's OutOfMemoryError, and what the network raises.
    """
    with arithmetic(task.precision):
        batch = largest_batch(task, subject, options) if task.batch == LARGEST else int(task.batch or 1)
        step = prepare(subject, batch, task.precision, task.layout, task.mode, options.device)
        return {
            "batch": batch,
            "precision": task.precision,
            "layout": task.layout,
            "mode": task.mode,
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
    """An epoch from the host's memory: seconds in all and by pass, of `examples` examples.

    Where an epoch would take longer than the options allow, it is cut to whole batches, and `is_whole` is false.
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
    # An event does not make the host wait, so that the epoch runs as it would without timing.
    if device == "cpu":
        return perf_counter()
    import torch

    event = torch.cuda.Event(enable_timing=True)
    event.record()
    return event


def largest_batch(task: Task, subject: Network, options: Options) -> int:
    """The largest batch whose training step fits into the device's memory, found by doubling the network's largest.

    Raises OutOfMemoryError where not one example fits.
    """
    import gc

    import torch

    fits, batch = 0, min(MOST_BATCH, max(subject.batches))
    while batch <= MOST_BATCH:
        try:
            step = prepare(subject, batch, task.precision, task.layout, "eager", options.device)
            step.whole()
            step.whole()  # the second one has the optimizer's state
            synchronize(options.device)
        except torch.OutOfMemoryError:
            if fits or batch == 1:
                break
            batch //= 4  # doubled again below
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
