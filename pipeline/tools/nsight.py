"""The page of Nsight Compute (ncu): kernels and executed FLOP by network and pass."""

import csv
import io
import re
from collections import defaultdict
from typing import Any

Row = dict[str, Any]
# Nsight Compute's metrics: FLOP per instruction and thread, and all operations on matrix units.
INSTRUCTION = re.compile(r"smsp__sass_thread_inst_executed_op_[fh](add|mul|fma)_pred_on\.sum")
TENSOR = re.compile(r"sm__ops_path_tensor_src_[bt]?fp?(16|32|8)(_dst_[a-z0-9]+)?\.sum")
RANGE = re.compile(r"(\w+) (forward|backward|update)\b")


def executed_flop(page: str) -> dict[tuple[str, str], Row]:
    """Return kernels, FLOP and matrix-unit FLOP of ncu's raw page by network and pass. Raise RuntimeError if empty."""
    start = page.find('"ID"')
    if start < 0:
        raise RuntimeError(next((line for line in page.splitlines() if "==ERROR==" in line), "ncu saw no kernel"))
    sums: dict[tuple[str, str], Row] = defaultdict(lambda: {"kernels": 0, "flop": 0.0, "tensor_flop": 0.0})
    for row in list(csv.DictReader(io.StringIO(page[start:])))[1:]:  # the first line has units
        if not (found := RANGE.search(" ".join(cell or "" for name, cell in row.items() if "Push/Pop_Range" in name))):
            continue
        of_pass = sums[found[1], found[2]]
        of_pass["kernels"] += 1
        for name, cell in row.items():
            kind, is_tensor = INSTRUCTION.fullmatch(name), TENSOR.fullmatch(name) is not None
            if kind or is_tensor:
                flop = float(cell.replace(",", "") or 0) * (2 if kind and kind[1] == "fma" else 1)
                of_pass["flop"] += flop
                of_pass["tensor_flop"] += flop * is_tensor
    if not sums:
        raise RuntimeError("ncu's page has no range of a network")
    return dict(sums)
