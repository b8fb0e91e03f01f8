"""The ceilings of this machine: a large matrix product in each precision, and a copy within its memory."""

from typing import Any

from pipeline.formulas.layers.count import MULTIPLY_ADD_FLOP
from pipeline.measure.harness.clock import timed
from pipeline.measure.harness.plan import Options, Task
from pipeline.measure.harness.step import arithmetic, refuse_absent
from pipeline.measure.harness.timings import median_seconds


def ceiling(task: Task, options: Options) -> dict[str, Any]:
    """The result of a task of part `ceilings`: FLOP/s of a precision, or bytes/s of copying."""
    return copy(options) if task.library == "copy" else product(task.precision, options)


def product(precision: str, options: Options) -> dict[str, Any]:
    """FLOP/s of n x n matrix products for several n, in a precision's own format; the largest is the ceiling.

    Raises UnsupportedError where the device does not have the precision.
    """
    import torch

    refuse_absent(precision, options.device)
    kind = {"bf16": torch.bfloat16, "fp16": torch.float16}.get(precision, torch.float32)
    sizes = {}
    with arithmetic(precision), torch.inference_mode():
        for size in options.ceiling_sizes:
            a = torch.randn(size, size, device=options.device).to(kind)
            out = torch.empty_like(a)
            sizes[str(size)] = _timed(lambda a=a, out=out: torch.mm(a, a, out=out), options)
    flop_per_second = {
        size: MULTIPLY_ADD_FLOP * int(size) ** 3 / float(median_seconds(timing) or 1) for size, timing in sizes.items()
    }
    return {
        "precision": precision,
        "flop_per_second": max(flop_per_second.values()),
        "flop_per_second_by_size": flop_per_second,
        "timings": sizes,
    }


def copy(options: Options) -> dict[str, Any]:
    """Bytes/s of a copy within the device's memory, read and written bytes together."""
    import torch

    here = torch.zeros(options.copy_bytes, dtype=torch.uint8, device=options.device)
    there = torch.empty_like(here)
    timing = _timed(lambda: there.copy_(here), options)
    moved = 2 * options.copy_bytes
    return {"bytes": moved, "bytes_per_second": moved / float(median_seconds(timing) or 1), "timing": timing}


def _timed(run: Any, options: Options) -> dict[str, Any]:
    bounds = {"warm_ups": options.warm_ups, "repeats": options.repeats, "seconds": options.loop_seconds}
    return timed({"run": run}, options.device, **bounds)["run"]
