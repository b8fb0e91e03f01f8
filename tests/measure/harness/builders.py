"""Networks, options and made-up results with known answers, for the tests of the harness."""

from pipeline.measure.harness import networks
from pipeline.measure.harness.plan import QUICK, Options
from pipeline.measure.harness.timings import summary

QUICKLY = Options("cpu", **QUICK)
SUBJECTS = {each.name: each for each in (*networks.quick_networks(), *networks.networks())}

SMI = {"driver_version": "550.1", "clocks.sm": "1328 MHz", "clocks.max.sm": "1480 MHz"}
PLACE = {
    "device_name": "Tesla P100-SXM2-16GB", "torch": "2.13.0", "cuda": "12.9", "cudnn": 91000, "threads": 8,
    "system": "Linux", "date": "2026-11-21", "nvidia_smi": SMI,
}  # fmt: skip
OPTIONS = {"warm_ups": 5, "repeats": 20, "is_quick": False}


def timing(seconds):
    return {"events": summary([seconds]), "wall": summary([seconds * 1.1])}


def timed(batch, seconds, precision="fp32"):
    return {
        "batch": batch, "precision": precision, "layout": "channels_first", "mode": "eager", "step": timing(seconds),
        "passes": {"forward": timing(seconds / 4), "backward": timing(seconds / 2), "update": timing(seconds / 4)},
        "with_profiler": timing(seconds * 2), "second_clock": {"wall": summary([seconds * 1.1])},
        "epoch": {"examples": 10 * batch, "seconds": 20 * seconds, "passes_seconds": {"forward": 1.0, "backward": 3.0}},
    }  # fmt: skip


# 1e9 FLOP forward and 1.5e9 backward an example
OURS = {"forward": 1e9, "backward": 1.5e9, "forward_full": 1e9, "backward_full": 1.5e9}
RESULTS = {
    "ceilings/fp32": {"flop_per_second": 8e12},
    "ceilings/copy": {"bytes_per_second": 5e11},
    "flop/resnet18": {
        "ours": OURS,
        "flop_counter_mode": {"raw": {"forward": 1e9, "backward": 1.5e10}, "cleaned": {"forward": 1e9, "backward": 1.5e9}},
        "torch_profiler": {"problem": "none"},
    },
    "time/resnet18/fp32/channels_first/eager/batch-1": timed(1, 0.01),
    "time/resnet18/fp32/channels_first/eager/batch-64": timed(64, 0.04),
    "time/resnet18/bf16/channels_first/eager/batch-64": timed(64, 0.02, "bf16"),
}  # fmt: skip
