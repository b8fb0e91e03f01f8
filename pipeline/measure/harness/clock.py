"""Timing by device events and by the wall clock, and by torch's own benchmark for comparison."""

from collections.abc import Callable
from time import perf_counter
from typing import Any

from pipeline.measure.harness.timings import summary

Run = Callable[[], Any]


def synchronize(device: str) -> None:
    """Waits until the device has done all that was started."""
    if device != "cpu":
        import torch

        torch.cuda.synchronize(device)


def once(run: Run, device: str) -> tuple[float | None, float]:
    """Seconds of one run, waited for: by device events (None on a CPU) and by the wall clock."""
    if device == "cpu":
        start = perf_counter()
        run()
        return None, perf_counter() - start
    import torch

    before, after = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    torch.cuda.synchronize(device)
    start = perf_counter()
    before.record()
    run()
    after.record()
    torch.cuda.synchronize(device)
    return before.elapsed_time(after) / 1000, perf_counter() - start


def timed(
    runs: dict[str, Run], device: str, *, warm_ups: int, repeats: int, seconds: float, minimum: int = 3
) -> dict[str, dict[str, Any]]:
    """Timings of runs that follow one another, such as forward and backward: {name: {events, wall}}, each a summary.

    After the warm-ups all are repeated until `repeats` are done or `seconds` have passed, but at least `minimum` times.
    """
    for _ in range(warm_ups):
        for run in runs.values():
            run()
    synchronize(device)
    events: dict[str, list[float]] = {name: [] for name in runs}
    wall: dict[str, list[float]] = {name: [] for name in runs}
    start = perf_counter()
    for repeat in range(repeats):
        if repeat >= minimum and perf_counter() - start > seconds:
            break
        for name, run in runs.items():
            by_events, by_wall = once(run, device)
            wall[name].append(by_wall)
            if by_events is not None:
                events[name].append(by_events)
    return {name: {"events": summary(events[name]), "wall": summary(wall[name])} for name in runs}


def second_clock(run: Run, repeats: int) -> dict[str, Any] | None:
    """Three means of `repeats` runs each by torch.utils.benchmark, which waits for the device by itself."""
    import torch
    from torch.utils.benchmark import Timer

    # Its default is one thread, whatever torch uses elsewhere.
    timer = Timer("run()", globals={"run": run}, num_threads=torch.get_num_threads())
    return summary([timer.timeit(repeats).mean for _ in range(3)])
