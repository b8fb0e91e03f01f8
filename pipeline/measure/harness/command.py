"""The command: options in, progress lines out, results and record on disk.

Exit codes: 0 where anything was measured (problems are listed), 1 where nothing was, 2 for wrong usage.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any

from pipeline.measure.harness import chips, record, report
from pipeline.measure.harness.networks import Network, networks, quick_networks
from pipeline.measure.harness.plan import LAYOUTS, MODES, PARTS, PRECISIONS, QUICK, Options, Task, as_dict, plan
from pipeline.measure.harness.products import libraries
from pipeline.measure.harness.store import Store, StoreError, write_text
from pipeline.measure.harness.timings import median_seconds
from schemas.spelling import UnknownNameError, chosen

NEEDED = "`pip install torch numpy pyyaml` brings all that is needed"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures by these arguments and returns the exit code; raises argparse's SystemExit(2) for wrong usage."""
    parser = _parser()
    given = parser.parse_args(arguments)
    everything = quick_networks() if given.quick else networks()
    subjects, parts = _selection(parser, given.only, everything)
    if find_spec("yaml") is None:
        _print_error(f"PyYAML is not installed; {NEEDED}")
        return 1
    chip = _chip(parser, given.chip)
    if find_spec("torch") is None:
        _print_error(f"torch is not installed; {NEEDED}")
        return 1
    device = _device(given.device)
    if device is None:
        _print_error(f"there is no {given.device} device on this machine; try --device cpu")
        return 1
    if chip is not None and device == "cpu":
        parser.error("--chip is for a GPU, and the device is a CPU")
    options = _options(given, device, parts)
    return _measured(subjects, options, chip, Path(given.out))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="flopledger measure",
        description="Time networks on this machine, count their operations and write a measurement record.",
        epilog="Forward, backward and update are timed apart. The folder has the record (measurements/<id>.yaml), every"
        " timing (results.json, results.csv) and tables (report.json). What fails is listed and skipped; the same command"
        " resumes an interrupted run. Where torch, numpy and PyYAML alone are installed, python -m"
        " pipeline.measure.harness does the same.",
    )
    parser.add_argument(
        "--quick", action="store_true", help="small networks and few repeats: a smoke test, on a CPU too"
    )
    parser.add_argument("--only", nargs="+", metavar="NAME", help=f"only these networks or parts ({', '.join(PARTS)})")
    parser.add_argument("--device", help="cuda, cuda:1 or cpu; default: the GPU where there is one")
    parser.add_argument("--batch", nargs="+", type=_positive, metavar="N", help="batches instead of each network's own")
    parser.add_argument("--precision", nargs="+", choices=PRECISIONS, help="only these")
    parser.add_argument("--layout", nargs="+", choices=LAYOUTS, help="only these")
    parser.add_argument("--mode", nargs="+", choices=MODES, help="only these")
    parser.add_argument("--chip", metavar="ID", help="the device's id, name or alias in the ledger")
    parser.add_argument(
        "--out", default="measured", metavar="FOLDER", help="folder of the results; a run in it is continued"
    )
    return parser


def _positive(word: str) -> int:
    number = int(word)
    if not 0 < number < 10**6:
        raise argparse.ArgumentTypeError(f"{word} is not a batch size")
    return number


def _selection(
    parser: argparse.ArgumentParser, only: list[str] | None, everything: list[Network]
) -> tuple[list[Network], tuple[str, ...]]:
    """The networks and parts of --only: a network without a part means all its parts, a part without a network all networks."""
    names = {network.name: network for network in everything}
    try:
        wanted = {chosen(word, [*names, *PARTS], "a network or a part") for word in only or []}
    except UnknownNameError as problem:
        parser.error(str(problem))
    selected = [network for name, network in names.items() if name in wanted]
    parts = tuple(part for part in PARTS if part in wanted)
    if selected and not parts:
        parts = tuple(part for part in PARTS if part != "products")
    return selected or everything, parts or PARTS


def _chip(parser: argparse.ArgumentParser, word: str | None) -> chips.LedgerChip | None:
    if word is None:
        return None
    try:
        return chips.find(word, chips.chips())
    except chips.ChipError as problem:
        parser.error(f"{problem} (without --chip any chip can be measured)")


def _device(wanted: str | None) -> str | None:
    """The torch device, or None where the machine does not have it."""
    import torch

    if wanted is None:
        return "cuda" if torch.cuda.is_available() else "cpu"
    if wanted == "cpu":
        return "cpu"
    try:
        index = torch.device(wanted).index or 0
    except RuntimeError:
        return None
    is_there = wanted.startswith("cuda") and torch.cuda.is_available() and index < torch.cuda.device_count()
    return wanted if is_there else None


def _options(given: argparse.Namespace, device: str, parts: tuple[str, ...]) -> Options:
    given_lists: dict[str, Any] = {
        "precisions": given.precision,
        "layouts": given.layout,
        "modes": given.mode,
        "batches": given.batch,
    }
    changed = {name: tuple(value) for name, value in given_lists.items() if value}
    return Options(**{"device": device, **(QUICK if given.quick else {}), **changed, "parts": parts})


def _measured(subjects: list[Network], options: Options, chip: chips.LedgerChip | None, out: Path) -> int:
    from pipeline.measure.harness.environment import environment
    from pipeline.measure.harness.worker import apart, outcomes

    try:
        # In a process of its own: this one would keep GPU memory that the largest batch needs.
        store = Store(out / "results.json", apart(environment, options.device, options.threads), as_dict(options))
        store.write()
    except (StoreError, OSError) as problem:
        _print_error(str(problem))
        return 2 if isinstance(problem, StoreError) else 1
    chip = chip or _same_name(store.content["environment"]["device_name"])
    tasks = [task for task in plan(subjects, options, libraries(options.device)) if task.name not in store.results]
    _print(
        f"{len(tasks)} to measure on {store.content['environment']['device_name']}; {len(store.results)} done before"
    )
    start = perf_counter()
    try:
        for index, (task, result, problem) in enumerate(
            outcomes(tasks, {subject.name: subject for subject in subjects}, options), 1
        ):
            if result is None:
                store.add_problem(task.name, str(problem))
            else:
                store.add(task.name, result)
            gone = perf_counter() - start
            left = gone / index * (len(tasks) - index)
            _print(
                f"[{index}/{len(tasks)}, {gone:.0f} s, about {left:.0f} s left] {task.name}: {problem or progress(task, result or {})}"
            )
    except KeyboardInterrupt:
        _print_error(f"interrupted; the results so far are in {out}, and the same command continues")
    except OSError as problem:
        _print_error(f"{problem.filename or out}: {problem.strerror}")
    return _finished(store, subjects, options, chip, out)


def _same_name(device_name: str) -> chips.LedgerChip | None:
    """The ledger's chip of the device's own name; none for a similar name, which may be of another chip with another peak."""
    try:
        return chips.find(device_name, chips.chips())
    except chips.ChipError:
        return None


def _finished(store: Store, subjects: list[Network], options: Options, chip: chips.LedgerChip | None, out: Path) -> int:
    if store.problems:
        _print_error(f"{len(store.problems)} could not be measured; the reasons are in {store.path}")
    if not store.results:
        _print_error("nothing could be measured")
        return 1
    where, peaks = store.content["environment"], chip.peaks if chip else {}
    tables = report.tables(store.results, peaks)
    write_text(
        out / "report.json", json.dumps({"chip": chip.identifier if chip else None, "peaks": peaks, **tables}, indent=1)
    )
    known = {network.name: network for network in (*networks(), *quick_networks(), *subjects)}
    if of_equal_flop := report.equal_flop(store.results, where):
        write_text(out / "equal_flop.csv", of_equal_flop)
    file = out / "measurements" / f"{record.identifier(where, chip)}.yaml"
    write_text(file, record.record(store.results, known.values(), where, as_dict(options), chip))
    for line in report.headline(store.results, peaks):
        _print(line)
    if chip is None:
        _print("the chip is not known to the ledger (--chip ID names it): no utilization of a datasheet peak")
    _print(f"results in {store.path} (and .csv), tables in {out / 'report.json'}, the record in {file}")
    return 0


def progress(task: Task, result: dict[str, Any]) -> str:
    """A result in short.

    >>> progress(Task("ceilings", precision="fp32"), {"flop_per_second": 1.5e12})
    '1.5e+12 FLOP/s'
    """
    if "flop_per_second" in result:
        return f"{result['flop_per_second']:.3g} FLOP/s"
    if "bytes_per_second" in result:
        return f"{result['bytes_per_second']:.3g} bytes/s"
    if "step" in result:
        seconds = float(median_seconds(result["step"]) or 0)
        return f"{seconds:.4g} s a step, {result['batch'] / seconds:.4g} examples a second"
    if "ways" in result:
        return ", ".join(f"{way} {median_seconds(timed['timing']):.3g} s" for way, timed in result["ways"].items())
    return "done"


def _print(line: str) -> None:
    try:
        print(line, flush=True)
    except BrokenPipeError:  # the reader of the output has ended; measuring continues
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _print_error(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
