"""Count the FLOP for one example with our formulas, torch's FlopCounterMode, torch's profiler and Nsight Compute."""

import io
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pipeline.tools.measure import torch_on_use as torch
from pipeline.tools.measure.build import network
from pipeline.tools.measure.networks import Network
from pipeline.tools.measure.step import examples, loss_of, prepare
from pipeline.tools.measure.timing import square_matrix

# FLOP per instruction and thread for each Nsight metric. A multiply-add is two. The networks do not use FP64.
INSTRUCTIONS = {
    f"smsp__sass_thread_inst_executed_op_{kind}{name}_pred_on.sum": flop
    for kind in "fh"
    for name, flop in (("add", 1), ("mul", 1), ("fma", 2))
}
# Metrics that count operations on matrix units, by precision. Metrics with longer names count parts of these.
TENSOR = re.compile(r"^sm__ops_path_tensor_src_[bt]?fp?(16|32|8)(_dst_[a-z0-9]+)?$")
PASSES = ("forward", "backward")
RANGE = re.compile(r"(?P<network>\w+) (?P<pass>forward|backward|optimizer)\b")
PRODUCT_SIZE = 4096


class NoCounterError(RuntimeError):
    """Nsight Compute is not installed or may not read counters. The message is one line."""


def counts(subject: Network) -> Iterator[dict[str, Any]]:
    """Yield one row per counter and pass. `full` is our count without the attention mask, which every counter ignores."""
    for name, counter in (("ours", ours), ("flop_counter_mode", flop_counter_mode), ("torch_profiler", profiler)):
        try:
            for pass_name, flop in zip(PASSES, counter(subject), strict=True):
                yield {"counter": name, "pass": pass_name, "flop": flop}
        except Exception as problem:  # counters raise errors of any type
            yield {"counter": name, "problem": f"{type(problem).__name__}: {problem}"[:200]}
    masked_flop = sum(
        layer.times * (layer.count.full_score_flop - layer.count.score_flop) for layer in subject.placed()
    )
    # The backward pass has two products for each product of the forward pass.
    for pass_name, flop, times in zip(PASSES, ours(subject), (1, 2), strict=True):
        yield {"counter": "full", "pass": pass_name, "flop": flop + times * masked_flop}


def ours(subject: Network) -> tuple[float, float]:
    """Return forward and backward FLOP according to our formulas."""
    total = subject.totals()
    return total.forward_flop, total.backward_flop


def flop_counter_mode(subject: Network) -> tuple[float, float]:
    """Return forward and backward FLOP according to torch's FlopCounterMode, on meta tensors, which compute nothing."""
    from torch.utils.flop_counter import FlopCounterMode

    with torch.device("meta"):
        forward, backward = _watched(subject, 1, lambda: FlopCounterMode(display=False))
    return forward.get_total_flops(), backward.get_total_flops()


def profiler(subject: Network) -> tuple[float, float]:
    """Return forward and backward FLOP according to torch's profiler on a CPU."""
    settings = {"activities": [torch.profiler.ProfilerActivity.CPU], "with_flops": True}
    # Two examples, because batch normalisation needs a variance.
    profiles = _watched(subject, 2, lambda: torch.profiler.profile(**settings))
    forward, backward = (sum(event.flops or 0 for event in profile.events()) / 2 for profile in profiles)
    return forward, backward


def _watched(subject: Network, batch: int, watch: Callable[[], Any]) -> tuple[Any, Any]:
    """Run both passes on torch's default device, each in a context from `watch`, and return the two contexts."""
    built = network(subject.nodes())
    inputs = examples(built, batch)
    with watch() as forward:
        loss = loss_of(built.module.train()(inputs))
    with watch() as backward:
        loss.backward()
    return forward, backward


def nsight(subjects: Sequence[Network], batch: int, precision: str, device: str) -> Iterator[dict[str, Any]]:
    """Yield one row per network and pass, with the FLOP per example that hardware counters recorded. Raise NoCounterError.

    The network `product` is a matrix product whose FLOP is known, so it shows what this chip's counters miss.
    """
    tool = shutil.which("ncu")
    if tool is None or device == "cpu":
        raise NoCounterError("ncu (Nsight Compute) is not on the path")
    names = {line.split()[0].split(".")[0] for line in _run([tool, "--query-metrics"]).splitlines() if line.strip()}
    instructions = [name for name in INSTRUCTIONS if "_op_f" in name or precision in ("bf16", "fp16")]
    metrics = [*instructions, *(f"{name}.sum" for name in sorted(names) if TENSOR.match(name))]
    # Nsight replays each kernel once per instruction, about 0.03 s each. Without clock control, ncu leaves the chip's
    # clocks alone; FLOP does not depend on them.
    command = [tool, "--csv", "--page", "raw", "--clock-control", "none", "--nvtx", "--profile-from-start", "off",
               "--metrics", ",".join(metrics), sys.executable, "-m", "pipeline.tools.measure", "--passes",
               ",".join(subject.name for subject in subjects), str(batch), precision, device]  # fmt: skip
    yield {"network": "product", "counter": "full", "pass": "forward", "flop": 2 * PRODUCT_SIZE**3}
    for (name, which), row in executed(_run(command)).items():
        flop = row["flop"] / (1 if name == "product" else batch)
        yield {"network": name, "counter": "nsight", "pass": which, "batch": batch, **row, "flop": flop}


def executed(page: str) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the kernel count, FLOP and fraction of FLOP on matrix units of each network's passes, from ncu's raw page.

    Raise NoCounterError if the page has no kernel or no ranges.
    """
    import pandas

    start = page.find('"ID"')
    if start < 0:
        raise NoCounterError(next((line for line in page.splitlines() if "==ERROR==" in line), "ncu saw no kernel"))
    table = pandas.read_csv(io.StringIO(page[start:]), skiprows=[1], thousands=",")  # the second line has units
    ranges = table.filter(like="Push/Pop_Range").astype(str).agg(" ".join, axis="columns").str.extract(RANGE)
    if ranges.dropna().empty:
        raise NoCounterError("ncu's page has no range of a network")
    tensor = [name for name in table if TENSOR.match(name.removesuffix(".sum"))]
    numbers = table[[*(name for name in INSTRUCTIONS if name in table), *tensor]].apply(
        pandas.to_numeric, errors="coerce"
    )
    on_tensor = numbers[tensor].sum(axis="columns")
    flop = on_tensor + sum(numbers[name] * weight for name, weight in INSTRUCTIONS.items() if name in numbers)
    # A kernel outside any range has no network, and groupby drops it.
    sums = (
        pandas.DataFrame({**ranges, "kernels": 1, "flop": flop, "on_tensor": on_tensor})
        .groupby(["network", "pass"])
        .sum()
    )
    return {
        key: {
            "kernels": int(row.kernels), "flop": float(row.flop), "tensor_core_fraction": float(row.on_tensor / row.flop)
        }
        for key, row in sums.iterrows()
    }  # fmt: skip


def run_passes(subjects: Sequence[Network], batch: int, precision: str, device: str) -> None:
    """Run a matrix product and one training step per network, after a warm-up step, with each pass in an NVTX range for ncu."""

    def profiled(name: str, run: Callable[[], Any]) -> None:
        torch.cuda.synchronize()
        torch.cuda.profiler.start()
        with torch.cuda.nvtx.range(name):
            run()
            torch.cuda.synchronize()
        torch.cuda.profiler.stop()

    matrix = square_matrix(precision, PRODUCT_SIZE, device)
    profiled("product forward", lambda: matrix @ matrix)
    # A range belongs to one thread, and by default torch runs the backward pass in another.
    with torch.autograd.set_multithreading_enabled(False):
        for subject in subjects:
            step = prepare(subject, batch, precision, layout="channels_first", mode="eager", device=device)
            runs = {"forward": step.forward, "backward": step.backward, "optimizer": step.update}
            for run in runs.values():
                run()
            for which, run in runs.items():
                profiled(f"{subject.name} {which}", run)


def _run(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise NoCounterError(f"ncu cannot be run: {problem}") from None
    if done.returncode:
        raise NoCounterError(f"ncu ended with {done.returncode}: {(done.stdout + done.stderr)[-200:].strip()}")
    return done.stdout
