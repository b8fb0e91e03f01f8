"""The audit: every public counter on every case that torch has, compared with the count by hand.

`make audit` writes data/published/report/counters.csv; it needs the optional extra `audit`.
"""

import csv
import os
import re
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import get_context

from pipeline.architectures.counting import count
from pipeline.architectures.network import Lengths
from pipeline.base.paths import PUBLISHED
from pipeline.site.report import counters as documented
from pipeline.site.report.counters import FACTOR, NOT_INSTALLABLE, OUT_OF_SCOPE, PLUS_ELEMENTWISE, REFUSED, RIGHT, ZERO
from pipeline.site.report.executed import HARDWARE
from tests.tools.measure.audit.cases import CASES
from tests.tools.measure.audit.counters import COUNTERS
from tests.tools.measure.audit.loops import FIXED

TABLE = PUBLISHED / "report/counters.csv"
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
# Counters count elementwise operations differently (a sigmoid as 1 or 4), so up to this multiple of ours is no mistake.
MOST_ELEMENTWISE = {"forward": 2, "backward": 4, "first_backward": 4}
CASE_SECONDS, ERROR_LENGTH = 120, 160


def mistakes(case, which):
    """Return the FLOP of the whole batch with each known mistake."""
    truth = case.by_hand(which)

    def scoreless(count):
        return count._replace(score_flop=0)

    found = {
        "the mask ignored": case.ours(which, lambda count: count._replace(score_flop=count.full_score_flop)),
        "attention scores missed": case.ours(which, scoreless),
        "groups ignored": truth * case.arguments.get("groups", case.shape[0] if "depthwise" in case.kind else 1),
        "one example of the batch": truth / case.batch,
    }
    if which == "first_backward":
        found["a gradient of the raw input"] = case.by_hand("backward")
        found["attention scores missed, a gradient of the raw input"] = case.ours("backward", scoreless)
    return {words: flop for words, flop in found.items() if flop not in (0, truth)}


def verdict(case, which, counter, counted):
    """Return the verdict on a number in FLOP, in the unit of the counter's documentation, and the known mistake."""
    truth, fixed, known = case.by_hand(which), case.by_hand(which, FIXED), mistakes(case, which)
    most = MOST_ELEMENTWISE[which] * (case.elementwise() + case.batch * case.tally().additions)

    def against(flop, unit):
        if counted == flop:
            return RIGHT
        if counted == 0:
            return ZERO
        is_mistake = any(counted == wrong * unit for wrong in known.values())
        return PLUS_ELEMENTWISE if not flop or flop < counted <= flop + most and not is_mistake else FACTOR

    is_run = counter.imports == "torch"  # these see what torch does
    if is_run and fixed != truth != counted and (kind := against(fixed, 1)) in (RIGHT, PLUS_ELEMENTWISE):
        # It skips the gradient of the first state, which is as correct as counting every step alike.
        return kind, kind, "without the gradient of the first state, which is zeros"
    unit = counter.multiply_add / 2 / (case.batch if counter.is_per_example else 1)
    in_flop, in_own_unit = against(truth, 1), against(truth * unit, unit)
    if in_flop == PLUS_ELEMENTWISE and truth and unit != 1:
        in_flop = FACTOR  # multiply-adds with many elementwise operations may come near the FLOP
    halves = "multiply-adds" if counter.multiply_add == 1 else "multiply-adds under the name FLOPs"
    notes = [
        ", ".join(filter(None, (words, name)))
        for part, name in ((1, ""), (0.5, halves))
        for words, flop in {"": truth, **known}.items()
        if counted == flop * part
    ]
    return in_flop, in_own_unit, notes[0] if notes and in_flop == FACTOR else ""


def rows():
    """Yield the table: one row per case, pass and counter; for a counter that was not run, one row for all cases."""
    from pipeline.tools.measure.layers import UnbuildableError
    from tests.tools.measure.audit.in_torch import network

    for case in CASES.values():
        try:
            network(case)
        except UnbuildableError:
            continue
        for which in case.passes:
            for name, counter in COUNTERS.items():
                if counter.count and (which == "forward" or counter.counts_backward):
                    yield row(case, which, name, counter, answer(case, which, counter))
    for name, counter in COUNTERS.items():
        if counter.reason:
            outcome = NOT_INSTALLABLE if "pip install" in counter.reason else OUT_OF_SCOPE
            known = {"case": "every case", "pass": "forward", "counter": name, "version": version_of(name)}
            yield {**known, "verdict": outcome, "verdict_in_own_unit": outcome, "note": counter.reason}


def row(case, which, name, counter, counted):
    """Return the row of one number, or of an error's text."""
    by_hand, ours = case.by_hand(which), case.ours(which)
    known = {"case": case.name, "pass": which, "batch": case.batch, "by_hand_flop": by_hand, "ours": ours}
    known |= {"counter": name, "version": version_of(name)}
    if isinstance(counted, str):
        return {**known, "verdict": REFUSED, "verdict_in_own_unit": REFUSED, "note": counted}
    in_flop, in_own_unit, note = verdict(case, which, counter, counted)
    known |= {"counted": f"{counted:.10g}", "factor": f"{counted / by_hand:.6g}" if by_hand else ""}
    return {**known, "verdict": in_flop, "verdict_in_own_unit": in_own_unit, "note": note}


def read_rows():
    """Yield forward passes that others counted with Nsight Compute, next to our count."""
    for name, batch, chip, counted in READ:
        ours = int(count(name, Lengths(), batch=batch).totals.forward_flop)
        yield {
            "case": f"{name}, batch {batch}, on one {chip}", "pass": "forward", "batch": batch, "ours": ours,
            "counter": HARDWARE, "counted": counted, "factor": f"{counted / ours:.3g}",
            "verdict": FACTOR, "verdict_in_own_unit": FACTOR, "note": READ_NOTE,
        }  # fmt: skip


def version_of(name):
    """Return the installed version of a counter's package; a CPU build of torch ends in +cpu."""
    try:
        return version(documented.COUNTERS[name][0]).partition("+")[0]
    except PackageNotFoundError:
        return ""


def answer(case, which, counter):
    """Return the counter's number, or its error, from a fork of this process: it may leave torch patched, or die."""
    import_module(counter.imports)  # once for all forks
    here, there = get_context("fork").Pipe(duplex=False)
    process = get_context("fork").Process(target=_send, args=(there, case, which, counter))
    process.start()
    there.close()
    try:
        return here.recv() if here.poll(CASE_SECONDS) else f"took {CASE_SECONDS} s"
    except EOFError:
        return "the process died"
    finally:
        process.kill()
        process.join()


def _send(to, case, which, counter):
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)  # counters print a lot
    os.dup2(nowhere, 2)
    try:
        to.send(float(counter.count(case, which)))
    except Exception as problem:  # counters raise errors of any type
        # Addresses differ from run to run.
        text = re.sub(r"0x[0-9a-f]+", "0x…", " ".join(f"{type(problem).__name__}: {problem}".split()))
        to.send(text if len(text) <= ERROR_LENGTH else text[: ERROR_LENGTH - 1] + "…")


def main():
    """Run the audit and write the table."""
    import torch

    torch.set_num_threads(1)
    made = [*rows(), *read_rows()]
    with TABLE.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(made)


if __name__ == "__main__":
    main()
