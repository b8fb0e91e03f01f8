"""Accuracy against Epoch's own values, on snapshots that are not part of this repository: `make accuracy`.

The adapter never sees Epoch's compute; this file alone does, to compare. Prints tables, and writes each row further than 2x
with its explanation to data/published/report/accuracy.csv (our value divided by theirs; theirs is not repeated).
"""

import csv
import math
import statistics
import sys
import time
from pathlib import Path
from typing import NamedTuple

from pipeline import catalogue_estimates, flow
from pipeline.catalogues import epoch
from pipeline.catalogues.quantities import CellError, number, several
from pipeline.catalogues.training import Draft
from tests.benchmarks.disagreements import Case, explanation

REFERENCE = flow.ROOT.parent / "shared" / "reference"
FILES = ("epoch_models_2025.csv", "epoch_notable_2026.csv")
REPORT = flow.ROOT / "data/published/report/accuracy.csv"
NEAR = 2.0
COLUMNS = ("file", "source_row", "name", "domain", "evidence", "ours_to_theirs", "whose", "explanation")


class Compared(NamedTuple):
    """One row whose compute Epoch knows: theirs, ours with its interval, a naive value, and what ours rests on."""

    file: str
    draft: Draft
    estimate: dict
    theirs: float
    naive: float | None
    evidence: str
    notes: str

    @property
    def ours(self):
        return self.estimate["training_flop"]


def compared(path, records, params):
    """The rows of a file whose compute Epoch knows."""
    catalogue = epoch.read(path, records)
    estimated = catalogue_estimates.estimate(catalogue, records, params)
    with path.open(encoding="utf-8-sig", newline="") as file:
        truth = list(csv.DictReader(file))
    for draft, row in zip(catalogue.drafts, estimated.estimates, strict=True):
        cells = truth[draft.row.source_row - 1]
        theirs = float(cells["Training compute (FLOP)"] or 0)
        if theirs > 0:
            said = " ".join(cells.get(name) or "" for name in ("Training compute notes", "Finetune compute notes"))
            yield Compared(path.name, draft, row, theirs, naive(draft, records), evidence(row), said)


def naive(draft, records):
    """What anyone would try first: 6 x parameters x data x epochs for language and biology, else chips x time x peak."""
    row = draft.row
    domains = several(row["domain"])
    try:
        parameters, data = number(row["parameters"], ""), number(row["datapoints"], "")
        epochs, hours = number(row["epochs"], "") or 1, number(row["hours"], "")
        chips, chip_hours = number(row["chips"], ""), number(row["chip_hours"], "")
    except CellError:
        return None
    if domains and domains[0] in {"Language", "Biology"} and parameters and data:
        return 6 * parameters * data * epochs
    spent = chip_hours or (chips * hours if chips and hours else None)
    peak = naive_peak(several(row["hardware"]), int((row["published"] or "2020")[:4]), records)
    return spent * 3600 * peak * (0.3 if "Language" in domains else 0.4) if spent and peak else None


def naive_peak(named, year, records):
    """16-bit since 2020, else 32-bit; of several chips the geometric mean; of none the year's."""
    word = "16bit" if year >= 2020 else "fp32"
    if not named:
        series = next(each.series for each in records.defaults.values() if each.series)[word]
        return next((each.value for each in series.years if each.year == year), None)
    ids, peaks = records.chip_ids(), []
    for name in named:
        chip = records.hardware.get(ids.get(name.lower(), ""))
        if chip is None:
            return None
        formats = {str(key): peak.amount for key, peak in chip.peaks.items()}
        sixteen = [formats[key] for key in ("fp16", "bf16") if key in formats]
        wide = formats.get("fp32") or max(formats.values())
        peaks.append(max(sixteen) if sixteen and (word == "16bit" or "fp32" not in formats) else wide)
    return math.exp(statistics.fmean(map(math.log, peaks)))


def evidence(row):
    """What an estimate rests on, in a word."""
    rules, method = row["rules"] or "", row["headline_method"]
    if method is None:
        return "none"
    if method in {"ledger", "base"}:
        return {"ledger": "record of the ledger", "base": "base model alone"}[method]
    if method == "operation_count":
        if "passes assumed" in rules:
            return "operations, passes guessed"
        if "of counted image networks" in rules:
            return "operations, ratio of image networks"
        return "operations, layers counted" if "layers counted" in rules else "operations, 2 x parameters"
    return {"combined": "both methods", "gpu_time": "GPU time"}[method]


def summary(rows, ours=lambda each: each.ours):
    """Number, coverage, share within 2x, median error in powers of ten, share inside the 90 % interval."""
    covered = [each for each in rows if ours(each)]
    errors = [abs(math.log10(ours(each) / each.theirs)) for each in covered]
    inside = [
        each.estimate["training_flop_low"] <= each.theirs <= each.estimate["training_flop_high"]
        for each in covered
        if each.ours
    ]
    near = sum(error <= math.log10(NEAR) for error in errors)
    return (
        len(rows),
        len(covered),
        near / len(covered) if covered else math.nan,
        statistics.median(errors) if errors else math.nan,
        sum(inside) / len(inside) if inside else math.nan,
    )


def line(label, rows, ours=lambda each: each.ours, has_interval=True):
    """One line of a table."""
    known, covered, near, error, inside = summary(rows, ours)
    interval = f"{inside:9.0%}" if has_interval and covered else "        -"
    share = f"{near:10.0%}{error:12.3f}" if covered else "         -           -"
    return f"{label:<42}{known:6d}{covered:8d}{covered / known:6.0%}{share}{interval}"


def grouped(rows, key):
    """Rows by a key, the largest group first."""
    groups = {}
    for each in rows:
        groups.setdefault(key(each), []).append(each)
    return sorted(groups.items(), key=lambda pair: (-len(pair[1]), pair[0]))


def show(rows):
    """The tables of one file."""
    print(f"{'':<42}{'known':>6}{'covered':>8}{'':>6}{'within 2x':>10}{'median error':>12}{'in 90 %':>9}")
    print(line("naive", rows, lambda each: each.naive, has_interval=False))
    print(line("ours", rows))
    stated = [each for each in rows if "passes assumed" not in (each.estimate["rules"] or "")]
    print(line("ours, without rows whose passes are guessed", stated))
    for title, key in (("domain", lambda each: each.estimate["domain"]), ("evidence", lambda each: each.evidence)):
        print(f"by {title}")
        for name, some in grouped(rows, key):
            print(line(f"  {name}", some))


def disagreements(rows):
    """A line of the report for each row further than 2x."""
    for each in rows:
        if not each.ours or abs(math.log10(each.ours / each.theirs)) <= math.log10(NEAR):
            continue
        whose, said = explanation(Case(each.draft, each.estimate, each.theirs, each.notes))
        yield {
            "file": each.file,
            "source_row": each.draft.row.source_row,
            "name": each.draft.row.name,
            "domain": each.estimate["domain"],
            "evidence": each.evidence,
            "ours_to_theirs": each.ours / each.theirs,
            "whose": whose,
            "explanation": said,
        }


def main(report: Path = REPORT) -> int:
    """Compares both files; leaves out, with a message, those that are not there."""
    records, params, told = flow.load_records(), flow.load_params(), []
    for name in FILES:
        path = REFERENCE / name
        if not path.exists():
            print(f"{path} is not there: skipped", file=sys.stderr)
            continue
        start = time.perf_counter()
        rows = list(compared(path, records, params))
        print(f"{name}: {time.perf_counter() - start:.1f} s")
        show(rows)
        told += disagreements(rows)
        print()
    if not told:
        return 0
    for whose, some in grouped(told, lambda each: each["whose"]):
        print(f"{whose:<12}{len(some):5d} of {len(told)} rows further than 2x")
    report.parent.mkdir(parents=True, exist_ok=True)
    report.write_text(catalogue_estimates.csv_text(COLUMNS, told), encoding="utf-8", newline="")
    print(f"{report.relative_to(flow.ROOT)}: each of them with its explanation")
    return 0


if __name__ == "__main__":
    sys.exit(main())
