"""The page "Counted, profiled, executed": formulas, frameworks' counters and hardware counters side by side."""

from collections.abc import Sequence

from pipeline.site.report import Row
from pipeline.site.report.counters import COUNTERS, summary

HARDWARE = "Nsight Compute"
PROFILERS = ("torch.profiler", "autograd.profiler", "DeepSpeed", "dlprof", "pyprof")


def page(counters: Sequence[Row], executed_flop: Sequence[Row], timings: Sequence[Row]) -> Row:
    """Return the page's values from the rows of counters.csv, executed_flop and timings.csv."""
    steps: dict[tuple[str, str, str], Row] = {}
    for row in executed_flop:
        if row["chip"] != "V100":
            continue
        step = steps.setdefault((row["network"], row["framework"], row["case"]), {"place": row["place"]})
        step[row["pass_kind"]] = row["executed_flop"]
        step["fraction"] = max(step.get("fraction", 0.0), row["tensor_core_fraction"])
    return {
        "tools": [tool(name, counters) for name in COUNTERS],
        "steps": steps,
        "ratios": {case: step["backward"] / step["forward"] for case, step in steps.items()},
        "optimizer": [
            step["optimizer"] / (step["forward"] + step["backward"]) for step in steps.values() if "optimizer" in step
        ],
        "tensor": tensor_excess(steps),
        "beside_counts": [row for row in executed_flop if row["counted_flop"]],
        "timed": timed(timings),
        "undercounts": [row for row in counters if row["counter"] == HARDWARE],
    }


def timed(timings: Sequence[Row]) -> list[Row]:
    """Return one row per network, precision and mode: its utilization by batch, and backward over forward at its largest batch.

    The file lists the batches of a case in ascending order.
    """
    cases: dict[tuple[str, str, str], Row] = {}
    for row in timings:
        case = cases.setdefault((row["network"], row["precision"], row["mode"]), {"utilizations": {}})
        case["utilizations"][int(row["batch"])] = float(row["utilization_batch"])
        case["flop_ratio"], case["time_ratio"] = (
            float(row[f"backward_to_forward_{end}"]) for end in ("flop", "seconds")
        )
    return [
        {"network": network, "precision": precision, "mode": mode, **case}
        for (network, precision, mode), case in cases.items()
    ]


def tool(name: str, counters: Sequence[Row]) -> Row:
    """Return a counter's name, whether it counts or profiles, and its result: how many cases are correct, or why we did not run it."""
    rows = [row for row in counters if row["counter"] == name and row["pass"] == "forward"]
    compared = [row for row in rows if row["batch"]]
    kind = "profiled" if name in PROFILERS else "counted"
    if not compared:
        return {"name": name, "kind": kind, "found": rows[0]["note"] if rows else "", "is_run": False}
    number, *right = summary(name, "forward", compared)["numbers"][:4]
    return {"name": name, "kind": kind, "found": f"{sum(right)} of {number} forward cases correct", "is_run": True}


def tensor_excess(steps: dict[tuple[str, str, str], Row]) -> list[Row]:
    """Return, for each step, FLOP executed with tensor cores over FLOP executed in FP32 for the same network and batch."""
    # The same case without mixed precision has another ending: noamp for amp, O0 for O1.
    fp32_steps = {
        case.replace("-noamp", "-amp").replace("O0", "O1"): step
        for (_, _, case), step in steps.items()
        if not step["fraction"]
    }
    return [
        {"network": network, "pass": name, "ratio": step[name] / fp32_steps[case][name]}
        for (network, _, case), step in steps.items()
        if case in fp32_steps and step["fraction"]
        for name in ("forward", "backward")
    ]
