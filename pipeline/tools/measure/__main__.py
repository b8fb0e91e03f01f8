"""`python -m pipeline.tools.measure`: time networks on this machine, count their FLOP, and write a measurement record.

Results are appended to results.jsonl, one line per measurement. The same command continues an interrupted run. A failed
measurement gets a line with its `problem`. The exit code is 1 if nothing could be measured, and 2 for wrong usage.
"""

import argparse
import itertools
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pipeline.tools.measure import counters, timing
from pipeline.tools.measure.networks import Network, networks, quick_networks

Task = tuple[dict[str, Any], Callable[[], Any]]


def main(words: Sequence[str] | None = None) -> int:
    """Measure with these arguments, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.tools.measure", description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="use small networks and short timings: a smoke test, also on a CPU"
    )
    parser.add_argument("--only", nargs="+", metavar="NETWORK", help="time only these networks")
    parser.add_argument("--batch", nargs="+", type=int, metavar="N", help="batch sizes instead of each network's own")
    parser.add_argument("--precision", nargs="+", choices=("fp32", "tf32", "bf16", "fp16"), default=["fp32", "bf16"])
    parser.add_argument("--layout", nargs="+", choices=("channels_first", "channels_last"), default=["channels_first"])
    parser.add_argument("--mode", nargs="+", choices=("eager", "compiled"), default=["eager"])
    parser.add_argument(
        "--size", nargs="+", type=int, metavar="N", default=[1000, 4000, 8000], help="sizes of equal-FLOP products"
    )
    parser.add_argument("--device", help="cuda, cuda:1 or cpu; default: the GPU if there is one")
    parser.add_argument("--chip", metavar="ID", help="the device's id, name or alias in the ledger")
    parser.add_argument("--seconds", type=float, default=10.0, help="seconds per timing")
    parser.add_argument("--out", type=Path, default=Path("measured"), metavar="FOLDER")
    parser.add_argument("--passes", nargs=4, help=argparse.SUPPRESS)  # for the child process that ncu profiles
    args = parser.parse_args(words)
    by_name = {network.name: network for network in (*networks(), *quick_networks())}
    if args.passes:
        names, batch, precision, device = args.passes
        counters.run_passes([by_name[name] for name in names.split(",")], int(batch), precision, device)
        return 0
    if args.only and not set(args.only) <= set(by_name):
        parser.error(f"the networks are {', '.join(by_name)}")
    import torch

    args.device = args.device or ("cuda" if torch.cuda.is_available() else "cpu")
    args.seconds, args.size = (0.3, [500]) if args.quick else (args.seconds, args.size)
    subjects = [by_name[name] for name in args.only] if args.only else quick_networks() if args.quick else networks()
    return _finish(_measure(list(_tasks(subjects, args)), args.out / "results.jsonl"), by_name, args)


def _tasks(subjects: list[Network], args: argparse.Namespace) -> Iterator[Task]:
    """Yield each task as a key, which identifies its results in the results file, and a function that performs it.

    Default arguments fix the loop's values in each function, which runs after the loop has moved on.
    """
    device, seconds = args.device, args.seconds
    for precision, size in itertools.product(args.precision, (512,) if args.quick else (2048, 8192)):
        yield (
            {"part": "ceiling", "precision": precision, "size": size},
            lambda p=precision, n=size: timing.ceiling(p, n, device, seconds),
        )
    for network in subjects:
        yield {"part": "count", "network": network.name}, lambda s=network: counters.counts(s)
    for mode, layout, network, precision in itertools.product(args.mode, args.layout, subjects, args.precision):
        for batch in args.batch or network.batches:
            case = {"batch": batch, "precision": precision, "layout": layout, "mode": mode}
            yield (
                {"part": "time", "network": network.name, **case},
                lambda s=network, c=case: timing.training(s, **c, device=device, seconds=seconds),
            )
    for library, size in itertools.product(("numpy", "torch", "torch_cpu", "cupy"), args.size):
        if device != "cpu" or library in ("numpy", "torch"):
            yield (
                {"part": "product", "library": library, "size": size},
                lambda n=library, s=size: timing.products(n, s, device, seconds),
            )
    for precision in args.precision if device != "cpu" else ():
        key = {"part": "count", "counter": "nsight", "precision": precision}
        yield key, lambda p=precision: counters.nsight(subjects, 8, p, device)


def _measure(tasks: list[Task], file: Path) -> list[dict[str, Any]]:
    """Perform the tasks whose keys the file lacks, append their rows to it, and return all its rows.

    So an interrupted measurement goes on where it stopped. A task that fails has a row with its problem and is not repeated.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    done = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    keys = [row["key"] for row in done]
    for number, (key, run) in enumerate(tasks, 1):
        if key in keys:
            continue
        try:
            result = run()
            rows = [result] if isinstance(result, dict) else list(result)
        except Exception as problem:  # the chip lacks the precision or the memory, or a library is not installed
            rows = [{"problem": " ".join(f"{type(problem).__name__}: {problem}".split())[:200]}]
        with file.open("a") as lines:
            for row in rows:
                done.append({**key, **row, "key": key})
                lines.write(json.dumps(done[-1]) + "\n")
        outcomes = (row.get("problem") or "{:.4g}".format(row.get("step_seconds") or row["flop"]) for row in rows)
        print(f"[{number}/{len(tasks)}]", *key.values(), "->", *outcomes, flush=True)
    return done


def _finish(results: list[dict[str, Any]], known: dict[str, Network], args: argparse.Namespace) -> int:
    """Write the tables and the record, and print medians. Return 2 if the chip is not in the ledger, 1 if no step was timed, otherwise 0."""
    import pandas as pd

    from pipeline.tools.measure import record, report

    rows = pd.DataFrame(results).drop(columns="key")
    machine = _machine(args.device)
    chip, peaks = record.chip_of(args.chip or machine["device"])
    if args.chip and chip is None:
        print(f"{args.chip!r} is not a chip in the ledger", file=sys.stderr)
        return 2
    if "step_seconds" not in rows or rows[rows.part == "time"].step_seconds.isna().all():
        print("nothing could be measured", file=sys.stderr)
        return 1
    table = report.timings(rows, peaks)
    table.reindex(columns=report.WRITTEN).to_csv(args.out / "timings.csv", index=False, float_format="%.6g")
    report.counters(rows).to_csv(args.out / "counters.csv", index=False)
    report.equal_flop(rows).to_csv(args.out / "equal_flop.csv", index=False)
    name, text = record.record(table, known, machine, chip, peaks)
    file = args.out / "measurements" / f"{name}.yaml"
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    shown = [column for column in table if column.startswith(("utilization", "ceiling_fraction"))]
    print(table[shown].median().to_string(float_format="%.3f"))
    print(f"{file}; timings.csv, counters.csv and equal_flop.csv in {args.out}")
    return 0


def _machine(device: str) -> dict[str, str]:
    """Return the name of the GPU or processor, and the versions and settings on which timings depend."""
    import torch
    from torch.utils.collect_env import get_env_info

    info = get_env_info()
    processor = (info.cpu_info or "CPU").partition("Model name:")[2].partition("\n")[0].strip()
    name = torch.cuda.get_device_name(device) if device != "cpu" else processor or "CPU"
    versions = {
        "CUDA": info.cuda_runtime_version,
        "driver": info.nvidia_driver_version,
        "cuDNN": torch.backends.cudnn.version(),
    }
    return {
        "device": name, "torch": info.torch_version, **{key: str(value) for key, value in versions.items() if value},
        "system": str(info.os), "threads": str(torch.get_num_threads()), "date": f"{datetime.now(UTC):%Y-%m-%d}",
    }  # fmt: skip


if __name__ == "__main__":
    raise SystemExit(main())
