"""Look up dense peaks by the names that torch, JAX, ROCm, MLPerf and cloud consoles print.

To use it, copy this file and dense_peaks.json. Nothing is guessed: a name must be spelled as in the chip's record,
apart from case, spaces, hyphens and underscores. A cloud machine type is recognised if a source says which chip it has;
the peaks returned are per chip.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SLICE = re.compile(r"[\s-]MIG[\s-](\d+g\.\d+gb)\b.*", re.IGNORECASE)  # how CUDA and Kubernetes name a part of a GPU


def plain_name(name: str) -> str:
    """Return a name in lower case without spaces and punctuation, except points between digits.

    >>> plain_name("NVIDIA A100-SXM4-80GB (400W)")
    'nvidiaa100sxm480gb400w'
    """
    return re.sub(r"(?<!\d)\.|\.(?!\d)|[^\w.]|_", "", name.lower())


def dense_peak(
    name: str, precision: str | None = None, table: Mapping[str, Any] | None = None
) -> dict[str, Any] | None:
    """Return a device's dense peaks, in FLOP/s by precision, with the datasheet's wording; None for an unknown name.

    `peak_flop_per_second` is per device as software shows it. `module_peak_flop_per_second` is per module, if software
    shows a module as several devices (AMD MI250X); if the number of devices is unknown for a chip of several cores, it
    is the only peak. With `precision`, the answer covers only that precision, and is None if the chip has no peak for
    it. The answer for a MIG slice names the `slice` but no peak, because no datasheet states one. `table` is the
    content of dense_peaks.json; the default is the file next to this module.
    """
    if table is None:
        table = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
    part = SLICE.search(name)
    identifier = table["names"].get(plain_name(SLICE.sub("", name)))
    if identifier is None:
        return None
    chip = table["chips"][identifier]
    peaks = {key: peak for key, peak in chip["peaks"].items() if precision is None or key == precision.lower()}
    if not peaks:
        return None
    module_peaks = {key: peak["flop_per_second"] for key, peak in peaks.items()} if part is None else {}
    devices = chip["devices_per_chip"]
    return {
        "hardware_id": identifier,
        "name": chip["name"],
        "slice": part[1] if part else None,
        "peak_flop_per_second": {key: peak / devices for key, peak in module_peaks.items()} if devices else {},
        "devices_per_module": devices,
        "module_peak_flop_per_second": None if devices == 1 else module_peaks,
        "words": {key: {word: peak[word] for word in peak if word != "flop_per_second"} for key, peak in peaks.items()},
    }
