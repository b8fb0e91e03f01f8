"""Extract the FLOP that training steps executed from Nsight Compute's counter files in a clone of cyanguwa/DeepLearningProfiling.

`python -m pipeline.tools.measure.executed CLONE` writes one row per file to data/records/executed_flop.csv.
"""

import csv
import io
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pipeline.base.clones import CloneError, Repository
from pipeline.base.paths import RECORDS

REPOSITORY = "cyanguwa/DeepLearningProfiling"
TABLE = RECORDS / "executed_flop.csv"
CASE = re.compile(r"/CSVs/(?P<case>fp\d+-.+?)-(?P<pass>fw|bw|fwbw|opt)(?P<mixed>-(?:no)?amp)?\.csv$")
NETWORKS = {"mlperf-deepcam": ("DeepCAM", "PyTorch"), "climate-seg-benchmark": ("climate segmentation", "TensorFlow")}
PASSES = {"fw": "forward", "bw": "backward", "fwbw": "forward and backward", "opt": "optimizer"}
# FLOP per instruction and thread. The number for Volta's tensor instruction is that repository's.
INSTRUCTIONS = {
    f"sm__sass_thread_inst_executed_op_{kind}{name}_pred_on.sum": flop
    for kind in "fh"
    for name, flop in (("add", 1), ("mul", 1), ("fma", 2))
}
TENSOR, TENSOR_FLOP = "sm__inst_executed_pipe_tensor.sum", 512


class CounterFileError(ValueError):
    """Counter files from which no executed FLOP follows. The message has one line per kernel."""


def executed(path: str, text: str) -> dict[str, Any]:
    """Return a file's case, pass, number of kernels, executed FLOP, share on tensor cores and seconds.

    Raises:
        CounterFileError: a counter lacks a kernel.
    """
    kernels = list(csv.DictReader(io.StringIO(text)))
    lacking = [
        f"{path}: kernel {kernel['Kernel Name']!r} has no {metric}"
        for kernel in kernels
        for metric in (*INSTRUCTIONS, TENSOR, "Time")
        if not kernel.get(metric)
    ]
    match = CASE.search(path)
    if lacking or not kernels or not match:
        raise CounterFileError("\n".join(lacking) or f"{path} is no file of counters by kernel")
    tensor = sum(TENSOR_FLOP * float(kernel[TENSOR]) for kernel in kernels)
    vector = sum(flop * float(kernel[metric]) for kernel in kernels for metric, flop in INSTRUCTIONS.items())
    network, framework = NETWORKS[path.partition("/")[0]]
    return {
        "network": network,
        "framework": framework,
        "chip": "V100",
        "case": match["case"] + (match["mixed"] or ""),
        "pass_kind": PASSES[match["pass"]],
        "kernels": len(kernels),
        "executed_flop": f"{vector + tensor:.6g}",
        "counted_flop": None,  # the ledger does not count these networks
        "tensor_core_fraction": f"{tensor / (vector + tensor):.4f}",
        "seconds": f"{sum(float(kernel['Time']) for kernel in kernels):.5g}",
    }


def main(arguments: Sequence[str]) -> int:
    """Write the table. Return 1, with one line per problem, if the folder is not a clone or a file lacks a kernel."""
    try:
        repository = Repository(REPOSITORY, Path(*arguments))
        files = repository.texts([path for path in repository.paths if CASE.search(path)])
        rows = [executed(path, text) | {"place": repository.place(path)} for path, text in files.items()]
    except (CloneError, CounterFileError) as problem:
        print(problem, file=sys.stderr)
        return 1
    with TABLE.open(encoding="utf-8", newline="") as file:
        others = [row for row in csv.DictReader(file) if not row["place"].startswith(f"github:{REPOSITORY}@")]
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows([*rows, *others])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
