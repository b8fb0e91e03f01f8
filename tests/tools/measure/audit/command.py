"""The audit: every public counter on every case, compared with the count by hand and ours.

Writes data/published/report/counters.csv. It needs the optional extra `audit`, which `make audit` installs.
"""

import contextlib
import csv
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from pipeline.architectures.counting import count
from pipeline.architectures.network import Lengths
from pipeline.base.paths import PUBLISHED
from pipeline.site.report.counters import FACTOR, NOT_INSTALLABLE, OUT_OF_SCOPE, REFUSED
from pipeline.site.report.executed import HARDWARE
from tests.tools.measure.audit.case import Case
from tests.tools.measure.audit.cases import CASES
from tests.tools.measure.audit.counters import BACKWARD, COUNTERS, Counted, Counter
from tests.tools.measure.audit.verdicts import evaluate

REPORT = PUBLISHED / "report"
ALL_CASES = "every case"
COLUMNS = (
    "case", "pass", "batch", "by_hand_flop", "ours", "counter", "version", "counted", "factor",
    "verdict", "verdict_in_own_unit", "note",
)  # fmt: skip
READ = (
    ("resnet18", 256, "A100", 90564086824),
    ("alexnet", 256, "A100", 81600192512),
    ("vgg16", 256, "A100", 258692444160),
    ("resnet18", 256, "T4", 397410572608),
    ("alexnet", 256, "T4", 150608494592),
)
READ_NOTE = (
    'Read, not run: the README "ImageNet-Analysis-ResNet18-AlexNet-and-Vgg16-on-A100-and-T4" (github-copy:13060996619). Four kinds'
    ' of instructions were counted (fadd, fmul, ffma, fp16), none of tensor cores; its author: "The four metrics captured by `ncu`'
    ' are insufficient to account for all floating-point operations". A T4 has no TF32: what lacks there is not settled.'
)
CASE_SECONDS = 120
PIP_SECONDS = 90
ERROR_LENGTH = 160
Row = dict[str, Any]
Answers = dict[str, Counted | str]  # by pass: a number or an error


def rows() -> Iterator[Row]:
    """Yield the published table: one row per case, pass and counter; for a counter that was not run, one row for all cases."""
    answers = {counter.name: _all_cases(counter) for counter in COUNTERS if counter.count}
    for case in CASES:
        for which in case.passes:
            known = {"case": case.name, "pass": which, "batch": case.batch, "by_hand_flop": case.by_hand(which)}
            for counter in COUNTERS:
                answer = answers.get(counter.name, {}).get(case.name, {}).get(which)
                if answer is not None:
                    yield {**known, "ours": case.ours(which), **_compared(case, which, counter, answer)}
    for counter in COUNTERS:
        named = {"case": ALL_CASES, "counter": counter.name, "version": _version(counter)}
        if counter.count and not counter.counts_backward:
            for which in BACKWARD:
                yield {**named, "pass": which, **_not_counted(OUT_OF_SCOPE, "It counts forward passes only.")}
        elif counter.tried:
            tried = " ".join(filter(None, [*map(_attempt, counter.tried), counter.reason]))
            yield {**named, "pass": "forward", **_not_counted(NOT_INSTALLABLE, tried)}
        elif counter.reason:
            yield {**named, "pass": "forward", **_not_counted(OUT_OF_SCOPE, counter.reason)}


def read_rows() -> Iterator[Row]:
    """Yield forward passes counted by somebody else's Nsight Compute, compared with our count: read, not run."""
    for name, batch, chip, counted in READ:
        ours = int(count(name, Lengths(), batch=batch).totals.forward_flop)
        yield {
            "case": f"{name}, batch {batch}, on one {chip}", "pass": "forward", "batch": batch, "ours": ours,
            "counter": HARDWARE, "counted": counted, "factor": f"{counted / ours:.3g}",
            "verdict": FACTOR, "verdict_in_own_unit": FACTOR, "note": READ_NOTE,
        }  # fmt: skip


def _not_counted(verdict: str, note: str) -> Row:
    return {"verdict": verdict, "verdict_in_own_unit": verdict, "note": note}


def _version(counter: Counter) -> str:
    try:
        return version(counter.package).partition("+")[0]  # a CPU build of torch ends in +cpu
    except PackageNotFoundError:
        return ""


def _compared(case: Case, which: str, counter: Counter, answer: Counted | str) -> Row:
    row = {"counter": counter.name, "version": _version(counter)}
    if isinstance(answer, str):
        return {**row, **_not_counted(REFUSED, answer)}
    verdict = evaluate(case, which, counter, answer)
    return {
        **row,
        "counted": f"{answer.total:.10g}",
        "factor": "" if verdict.factor is None else f"{verdict.factor:.6g}",
        "verdict": verdict.verdict,
        "verdict_in_own_unit": verdict.in_own_unit,
        "note": verdict.note,
    }


def _all_cases(counter: Counter) -> dict[str, Answers]:
    print(counter.name, file=sys.stderr)
    return dict(_from_a_process(2 * CASE_SECONDS, _each_case, counter))


def _each_case(counter: Counter) -> Iterator[tuple[str, Answers]]:
    import torch

    torch.set_num_threads(1)
    import_module(counter.imports)  # once for all forks
    remaining = list(CASES)
    while remaining:
        done = 0
        for name, answers in _from_a_process(CASE_SECONDS, _until_an_error, counter, remaining):
            yield name, answers
            done += 1
        if not done:
            died = f"the process died or took {CASE_SECONDS} s"
            yield remaining[0].name, dict.fromkeys(_passes(counter, remaining[0]), died)
        remaining = remaining[max(done, 1) :]


def _passes(counter: Counter, case: Case) -> list[str]:
    return [which for which in case.passes if which not in BACKWARD or counter.counts_backward]


def _until_an_error(counter: Counter, cases: list[Case]) -> Iterator[tuple[str, Answers]]:
    assert counter.count
    for case in cases:
        answers: Answers = {}
        for which in _passes(counter, case):
            try:
                answers[which] = Counted(*counter.count(case, which))
            except Exception as problem:  # counters raise errors of any type
                answers[which] = _line(f"{type(problem).__name__}: {problem}")
        yield case.name, answers
        if any(isinstance(answer, str) for answer in answers.values()):
            return  # it may have left torch patched


def _line(text: str) -> str:
    """Return an error on one line, shortened, without addresses, which differ from run to run."""
    text = re.sub(r"0x[0-9a-f]+", "0x…", " ".join(text.split()))
    return text if len(text) <= ERROR_LENGTH else text[: ERROR_LENGTH - 1] + "…"


def _from_a_process(seconds: float, function: Callable[..., Iterator[Any]], *arguments: Any) -> Iterator[Any]:
    """Yield what the function yields in a fork of this process, until it ends, dies or takes too long for one item."""
    here, there = get_context("fork").Pipe(duplex=False)
    process = get_context("fork").Process(target=_send, args=(there, function, arguments))
    process.start()
    there.close()
    with contextlib.suppress(EOFError):
        while here.poll(seconds):
            yield here.recv()
    process.kill()
    process.join()


def _send(to: Connection, function: Callable[..., Iterator[Any]], arguments: tuple[Any, ...]) -> None:
    if function is _until_an_error:  # counters print a lot
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
    for each in function(*arguments):
        to.send(each)


def _attempt(arguments: tuple[str, ...]) -> str:
    """Return the line of pip's output with the result of an installation."""
    command = ["install", *arguments]
    options = ["--dry-run", "--no-deps", "--disable-pip-version-check", "--retries", "1", "--timeout", "10"]
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pip", *options[2:], *command, *options[:2]],
            capture_output=True, text=True, timeout=PIP_SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"`pip {' '.join(command)}`: no answer in {PIP_SECONDS} s."
    outcomes = ("Failed to establish", "unable to access", "placeholder", "Could not find a version", "Would install")
    lines = (done.stdout + done.stderr).splitlines()
    found = [next((line for line in lines if words in line), "") for words in outcomes]
    outcome = next((line for line in found if line), lines[-1] if lines else "")
    if "Failed to establish" in outcome:
        outcome = "the index could not be reached from here"
    return f"`pip {' '.join(command)}`: {_line(outcome).removeprefix('ERROR: ').rstrip('.')}."


def main() -> None:
    """Run the audit and write report/counters.csv."""
    missing = {counter.package for counter in COUNTERS if counter.count and not _version(counter)}
    if missing:
        raise SystemExit(f"not installed: {', '.join(sorted(missing))}; run make audit")
    REPORT.mkdir(parents=True, exist_ok=True)
    with (REPORT / "counters.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows([*rows(), *read_rows()])
