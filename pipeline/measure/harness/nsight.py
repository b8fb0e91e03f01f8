"""FLOP by hardware counters: Nsight Compute around one forward and one backward pass, marked by NVTX ranges.

Nsight replays each kernel several times with other counters, so nothing is timed here. Raw is the arithmetic of all kernels;
cleaned is that of kernels that multiply matrices, without norms, activations, sums and losses, which model FLOP leave out.
"""

import csv
import io
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from typing import Any

from pipeline.measure.harness.plan import Options, Task

# FLOP an instruction and thread: a multiply-add is two operations.
INSTRUCTIONS = {
    "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum": 1,
    "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum": 1,
    "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum": 2,
    "smsp__sass_thread_inst_executed_op_hadd_pred_on.sum": 1,
    "smsp__sass_thread_inst_executed_op_hmul_pred_on.sum": 1,
    "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum": 2,
    "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum": 1,
    "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum": 1,
    "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum": 2,
}
# Operations of the matrix units, by the formats of factors and result. Names with a suffix (sparsity_off, sparsity_on) are
# parts of these: adding them would count twice.
TENSOR = re.compile(r"^sm__ops_path_tensor_(op_\w+?_)?src_[a-z0-9]+(_dst_[a-z0-9]+)?$")
OF_MATRICES = re.compile(
    r"gemm|gemv|conv|xmma|cutlass|cudnn|winograd|wgrad|dgrad|fft|attention|flash|fmha|nvjet|sgemm|lstm|rnn|mma",
    re.IGNORECASE,
)
NO_PRODUCT = re.compile(
    r"elementwise|vectorized|batch_?norm|bn_|layer_?norm|softmax|reduce|pooling|dropout|nchwToNhwc|nhwcToNchw|copy|fill",
    re.IGNORECASE,
)
RANGES = ("forward", "backward")
SECONDS = 900


class NoCounterError(RuntimeError):
    """Nsight Compute is not installed or not permitted; the message is one line."""


def hardware(task: Task, options: Options) -> dict[str, Any]:
    """FLOP of one batch by hardware counters: {range: {raw, cleaned, kernels}} and the names of the metrics.

    Raises NoCounterError where ncu is not installed or may not read counters (an administrator can permit it).
    """
    tool = shutil.which("ncu") or shutil.which("nv-nsight-cu-cli")
    if tool is None or options.device == "cpu":
        raise NoCounterError("ncu (Nsight Compute) is not on the path")
    metrics = [*INSTRUCTIONS, *tensor_metrics(_run([tool, "--query-metrics"], 120))]
    found: dict[str, Any] = {"batch": task.batch, "precision": task.precision, "metrics": metrics}
    for which in RANGES:
        command = [
            tool, "--csv", "--page", "raw", "--target-processes", "all", "--nvtx", "--nvtx-include", f"{which}/",
            "--metrics", ",".join(metrics), sys.executable, "-m", f"{__package__}.one_pass",
            "--network", task.network, "--batch", str(task.batch), "--precision", task.precision, "--device", options.device,
        ]  # fmt: skip
        found[which] = flop_of(_run(command, SECONDS))
    return found


def tensor_metrics(listed: str) -> list[str]:
    """The metrics of matrix units, summed over the chip, among those that ncu lists.

    >>> tensor_metrics("sm__ops_path_tensor_src_fp16_dst_fp32 Counter ops\\nsm__cycles_active Counter cycle\\n")
    ['sm__ops_path_tensor_src_fp16_dst_fp32.sum']
    """
    names = {line.split()[0].split(".")[0] for line in listed.splitlines() if line.strip()}
    found = sorted(name for name in names if TENSOR.match(name))
    # Metrics by instruction (op_hmma, op_hgmma) are parts of those without; they serve where there are no others.
    whole = [name for name in found if "_op_" not in name]
    return [f"{name}.sum" for name in whole or found]


def flop_of(text: str) -> dict[str, Any]:
    """FLOP of all kernels of ncu's raw page as CSV: raw, cleaned, and by kernel. Raises NoCounterError where it has no kernel."""
    by_kernel: dict[str, float] = {}
    for row in _rows(text):
        total = sum(_number(value) * _weight(name) for name, value in row.items() if _weight(name))
        kernel = row.get("Kernel Name", "")
        by_kernel[kernel] = by_kernel.get(kernel, 0.0) + total
    if not by_kernel:
        raise NoCounterError(_problem(text))
    return {
        "raw": sum(by_kernel.values()),
        "cleaned": sum(flop for name, flop in by_kernel.items() if multiplies_matrices(name)),
        "kernels": by_kernel,
    }


def multiplies_matrices(kernel: str) -> bool:
    """Whether a kernel multiplies matrices or convolves, by its name.

    >>> multiplies_matrices("ampere_sgemm_128x64_tn"), multiplies_matrices("vectorized_elementwise_kernel<4>")
    (True, False)
    """
    return bool(OF_MATRICES.search(kernel)) and not NO_PRODUCT.search(kernel)


def _weight(column: str) -> int:
    name = column.strip()
    return INSTRUCTIONS.get(name, 1 if TENSOR.match(name.removesuffix(".sum")) else 0)


def _number(text: str) -> float:
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return 0.0  # the line of units, or a counter that the kernel does not have


def _rows(text: str) -> Iterable[dict[str, str]]:
    # ncu's own lines begin with ==PROF==; the table with its "ID" column; its second line holds units.
    lines = text.splitlines()
    start = next((index for index, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        return []
    rows = csv.DictReader(io.StringIO("\n".join(line for line in lines[start:] if line.startswith('"'))))
    return [{name: value or "" for name, value in row.items() if name} for row in rows if (row.get("ID") or "").strip()]


def _problem(text: str) -> str:
    errors = [line for line in text.splitlines() if "==ERROR==" in line or "ERR_" in line]
    return errors[0].strip()[:200] if errors else "ncu saw no kernel in the range"


def _run(command: list[str], seconds: float) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        raise NoCounterError(f"ncu took more than {seconds:g} s") from None
    except OSError as problem:
        raise NoCounterError(f"ncu cannot be run: {problem.strerror}") from None
    if done.returncode:
        output = done.stdout + done.stderr
        raise NoCounterError(_problem(output) if "==ERROR==" in output else f"ncu ended with {done.returncode}")
    return done.stdout
