"""The machine that was measured: chip, driver, versions, clocks, date. What cannot be read is None."""

import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

QUERIED = (
    "driver_version",
    "clocks.sm",
    "clocks.mem",
    "clocks.max.sm",
    "clocks.max.mem",
    "power.limit",
    "temperature.gpu",
)


def environment(device: str, threads: int | None = None) -> dict[str, Any]:
    """Names and versions of this machine for a device of torch, such as cuda or cpu; `threads` are torch's own unless given."""
    import numpy
    import torch

    is_gpu = device != "cpu"
    properties = torch.cuda.get_device_properties(device) if is_gpu else None
    return {
        "device": device,
        "device_name": torch.cuda.get_device_name(device) if is_gpu else processor_name(),
        "memory_bytes": properties.total_memory if properties else _memory_bytes(),
        "capability": list(torch.cuda.get_device_capability(device)) if is_gpu else None,
        "multiprocessors": properties.multi_processor_count if properties else None,
        "threads": threads or torch.get_num_threads(),
        "torch": torch.__version__,
        "numpy": numpy.__version__,
        "cuda": torch.version.cuda,
        "cudnn": torch.backends.cudnn.version() if is_gpu else None,
        "python": sys.version.split()[0],
        "system": platform.platform(),
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "time": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "nvidia_smi": nvidia_smi(),
    }


def processor_name() -> str:
    """The processor as Linux names it, else its architecture."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def nvidia_smi() -> dict[str, str] | None:
    """Driver, clocks in MHz, power limit in W and temperature by nvidia-smi, as text; None where it is not installed."""
    command = ["nvidia-smi", f"--query-gpu={','.join(QUERIED)}", "--format=csv,noheader"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    first = done.stdout.splitlines()[0] if done.stdout.strip() else ""
    return dict(zip(QUERIED, (word.strip() for word in first.split(",")), strict=False))


def _memory_bytes() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return None
