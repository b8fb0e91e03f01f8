"""Dense peaks by the names that torch, JAX, ROCm, MLPerf and cloud consoles print. Python alone: copy this file and dense_peaks.json.

A name is known in the spelling of its record, but for case, spaces, hyphens and underscores; no other is guessed. A
machine type of a cloud is known where a source says which chip it has: the peaks are of one of its chips.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SLICE = re.compile(r"[\s-]MIG[\s-](\d+g\.\d+gb)\b.*", re.IGNORECASE)  # what CUDA or Kubernetes adds for a part of a GPU


def plain(name: str) -> str:
    """A name without case, spaces and marks; a point between digits stays.

    >>> plain("NVIDIA A100-SXM4-80GB (400W)")
    'nvidiaa100sxm480gb400w'
    """
    return re.sub(r"(?<!\d)\.|\.(?!\d)|[^\w.]|_", "", name.lower())


def dense_peak(
    name: str, precision: str | None = None, table: Mapping[str, Any] | None = None
) -> dict[str, Any] | None:
    """Dense peaks, in FLOP/s by format, of one device of this name, with the words of the datasheet; None where the name is not known.

    `peak_flop_per_second` is of what software shows as one device, and `module_peak_flop_per_second` of what is sold as
    one where it shows several (AMD MI250X); where it is
    not known what is shown of a chip of several cores, the module's alone. With `precision` the answer has that format alone, and is None without it.
    A MIG slice has its `slice` and no peak: no datasheet states one. `table` is dense_peaks.json, else read beside this file.
    """
    if table is None:
        table = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
    part = SLICE.search(name)
    identifier = table["names"].get(plain(SLICE.sub("", name)))
    if identifier is None:
        return None
    chip = table["chips"][identifier]
    peaks = {key: peak for key, peak in chip["peaks"].items() if precision is None or key == precision.lower()}
    if not peaks:
        return None
    of_module = {key: peak["flop_per_second"] for key, peak in peaks.items()} if part is None else {}
    devices = chip["devices_per_chip"]
    return {
        "hardware_id": identifier,
        "name": chip["name"],
        "slice": part[1] if part else None,
        "peak_flop_per_second": {key: peak / devices for key, peak in of_module.items()} if devices else {},
        "devices_per_module": devices,
        "module_peak_flop_per_second": None if devices == 1 else of_module,
        "words": {key: {word: peak[word] for word in peak if word != "flop_per_second"} for key, peak in peaks.items()},
    }
