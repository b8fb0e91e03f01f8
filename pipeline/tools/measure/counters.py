"""Count the FLOP of one example with our formulas, torch's FlopCounterMode, torch's profiler and Nsight Compute."""

import io
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from pipeline.tools.measure.build import network
from pipeline.tools.measure.networks import Network
from pipeline.tools.measure.step import examples, loss_of

# FLOP per instruction and thread, by Nsight's metric. A multiply-add has two.
INSTRUCTIONS = {
    f"smsp__sass_thread_inst_executed_op_{kind}{name}_pred_on.sum": flop
    for kind in "fhd"
    for name, flop in (("add", 1), ("mul", 1), ("fma", 2))
}
# Operations of the matrix units by precision. Metrics with longer names are parts of these.
TENSOR = re.compile(r"^sm__ops_path_tensor_src_[a-z0-9]+(_dst_[a-z0-9]+)?$")
PASSES = ("forward", "backward")


class NoCounterError(RuntimeError):
    """Nsight Compute is not installed or may not read counters. The message is one line."""


def counts(subject: Network) -> Iterator[dict[str, Any]]:
    """Yield one row per counter and pass. `full` is our count without the attention mask, which no counter takes into account."""
    for name, counted in (("ours", ours), ("flop_counter_mode", flop_counter_mode), ("torch_profiler", profiler)):
        try:
            for which, flop in zip(PASSES, counted(subject), strict=True):
                yield {"counter": name, "pass": which, "flop": flop}
        except Exception as problem:  # counters raise errors of any type
            yield {"counter": name, "problem": f"{type(problem).__name__}: {problem}"[:200]}
    hidden = sum(layer.times * (layer.count.full_score_flop - layer.count.score_flop) for layer in subject.placed())
    for which, flop, times in zip(PASSES, ours(subject), (1, 2), strict=True):
        yield {"counter": "full", "pass": which, "flop": flop + times * hidden}


def ours(subject: Network) -> tuple[float, float]:
    """Return forward and backward FLOP by our formulas."""
    total = subject.totals()
    return total.forward_flop, total.backward_flop


def flop_counter_mode(subject: Network) -> tuple[float, float]:
    """Return forward and backward FLOP by torch's dispatcher, on meta tensors, which compute nothing."""
    import torch
    from torch.utils.flop_counter import FlopCounterMode

    with torch.device("meta"):
        built = network(subject.nodes())
    with FlopCounterMode(display=False) as forward:
        loss = loss_of(built.module.train()(examples(built, 1, "meta")))
    with FlopCounterMode(display=False) as backward:
        loss.backward()
    return forward.get_total_flops(), backward.get_total_flops()


def profiler(subject: Network) -> tuple[float, float]:
    """Return forward and backward FLOP by torch's profiler on a CPU."""
    from torch.profiler import ProfilerActivity, profile

    built = network(subject.nodes())
    given = examples(built, 2, "cpu")  # batch normalisation needs a variance, which a single example does not have
    with profile(activities=[ProfilerActivity.CPU], with_flops=True) as forward:
        loss = loss_of(built.module.train()(given))
    with profile(activities=[ProfilerActivity.CPU], with_flops=True) as backward:
        loss.backward()
    first, second = (sum(event.flops or 0 for event in profiled.events()) / 2 for profiled in (forward, backward))
    return first, second


def nsight(subject: Network, batch: int, precision: str, device: str) -> Iterator[dict[str, Any]]:
    """Yield one row per pass with the FLOP that the hardware's counters measured. Raise NoCounterError."""
    tool = shutil.which("ncu")
    if tool is None or device == "cpu":
        raise NoCounterError("ncu (Nsight Compute) is not on the path")
    listed = {line.split()[0].split(".")[0] for line in _run([tool, "--query-metrics"]).splitlines() if line.strip()}
    metrics = [*INSTRUCTIONS, *(f"{name}.sum" for name in sorted(listed) if TENSOR.match(name))]
    for which in PASSES:
        command = [tool, "--csv", "--page", "raw", "--target-processes", "all", "--nvtx", "--nvtx-include", f"{which}/",
                   "--metrics", ",".join(metrics), sys.executable, "-m", "pipeline.tools.measure", "--one-pass",
                   subject.name, str(batch), precision, device]  # fmt: skip
        yield {"counter": "nsight", "pass": which, "precision": precision, "flop": flop_of(_run(command)) / batch}


def flop_of(page: str) -> float:
    """Sum the FLOP of every kernel on ncu's raw page. Raise NoCounterError if there is no kernel."""
    import pandas

    start = page.find('"ID"')
    if start < 0:
        raise NoCounterError(next((line for line in page.splitlines() if "==ERROR==" in line), "ncu saw no kernel"))
    table = pandas.read_csv(io.StringIO(page[start:]), skiprows=[1], thousands=",")  # the second line has the units
    weights = {name: INSTRUCTIONS.get(name, int(bool(TENSOR.match(name.removesuffix(".sum"))))) for name in table}
    return float(
        sum(pandas.to_numeric(table[name], errors="coerce").sum() * flop for name, flop in weights.items() if flop)
    )


def one_pass(subject: Network, batch: int, precision: str, device: str) -> None:
    """Run one step, then one forward and one backward pass in NVTX ranges for ncu."""
    import torch

    from pipeline.tools.measure.step import prepare

    step = prepare(subject, batch, precision, "channels_first", "eager", device)
    for run in (step.forward, step.backward, step.update):
        run()
    for name in PASSES:
        torch.cuda.synchronize()
        with torch.cuda.nvtx.range(name):
            getattr(step, name)()
            torch.cuda.synchronize()


def _run(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise NoCounterError(f"ncu cannot be run: {problem}") from None
    if done.returncode:
        raise NoCounterError(f"ncu ended with {done.returncode}: {(done.stdout + done.stderr)[-200:].strip()}")
    return done.stdout
