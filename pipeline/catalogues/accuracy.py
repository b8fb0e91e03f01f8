"""Accuracy against Epoch's own values, on snapshots that are not part of this repository: `make accuracy`.

The adapter (catalogues/epoch.py) never reads Epoch's compute; only this module does, to compare. Prints tables, and writes into data/published/report
a page (accuracy.html) and each row further than 2x with its explanation (accuracy.csv: our value divided by theirs; theirs is not
repeated).
"""

import csv
import math
import statistics
import sys
import time
from pathlib import Path
from statistics import NormalDist
from typing import NamedTuple

from pipeline.catalogues import epoch, estimates
from pipeline.catalogues.disagreements import Case, explanation
from pipeline.catalogues.quantities import CellError, number, several
from pipeline.catalogues.training import Draft
from pipeline.paths import PUBLISHED, ROOT
from pipeline.publishing import csv_cells
from pipeline.publishing.pages import accuracy as accuracy_page
from pipeline.records import ledger
from pipeline.records import params as choices
from schemas.units import HOUR_SECONDS

REFERENCE = ROOT.parent / "shared" / "reference"
FILES = ("epoch_models_2025.csv", "epoch_notable_2026.csv")
REPORT = PUBLISHED / "report/accuracy.csv"
PAGE = REPORT.with_suffix(".html")
LEVELS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
GUESSED = "passes assumed"
NEAR = 2.0
COLUMNS = ("file", "source_row", "name", "domain", "evidence", "ours_to_theirs", "whose", "explanation")


class Compared(NamedTuple):
    """One row with Epoch's compute: theirs, ours with its interval and a naive value, in FLOP, and the evidence of ours."""

    file: str
    draft: Draft
    estimate: dict
    theirs: float
    naive: float | None
    evidence: str
    notes: str

    @property
    def ours(self):
        """Our estimate, in FLOP; None where there is none."""
        return self.estimate["training_flop"]


def compared(path, records, params):
    """The rows of a file for which Epoch states training compute."""
    catalogue = epoch.read(path, records)
    estimated = estimates.estimate(catalogue, records, params)
    with path.open(encoding="utf-8-sig", newline="") as file:
        truth = list(csv.DictReader(file))
    for draft, row in zip(catalogue.drafts, estimated.estimates, strict=True):
        cells = truth[draft.row.source_row - 1]
        theirs = float(cells["Training compute (FLOP)"] or 0)
        if theirs > 0:
            said = " ".join(cells.get(name) or "" for name in ("Training compute notes", "Finetune compute notes"))
            yield Compared(path.name, draft, row, theirs, naive(draft, records), evidence(row), said)


def naive(draft, records):
    """The simplest estimate, in FLOP: 6 x parameters x data x epochs for language and biology, else chips x time x peak x 0.3 or 0.4; None without inputs."""
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
    return spent * HOUR_SECONDS * peak * (0.3 if "Language" in domains else 0.4) if spent and peak else None


def naive_peak(named, year, records):
    """Peak in FLOP/s, in 16 bits since 2020, else FP32: the geometric mean of several chips; the year's default where none is named."""
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
    """The evidence behind an estimate, in a few words."""
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
    return "GPU time" if method == "gpu_time" else "both methods"


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
    return f"{label:<45}{known:6d}{covered:8d}{covered / known:6.0%}{share}{interval}"


def grouped(rows, key):
    """Rows by a key, the largest group first."""
    groups = {}
    for each in rows:
        groups.setdefault(key(each), []).append(each)
    return sorted(groups.items(), key=lambda pair: (-len(pair[1]), pair[0]))


def groups(rows):
    """The lines of one file's table, by heading: name, rows, the estimate (ours or the naive one), and whether it has an interval."""

    def ours(each):
        return each.ours

    stated = [each for each in rows if GUESSED not in (each.estimate["rules"] or "")]
    yield (
        "All",
        [
            ("naive", rows, lambda each: each.naive, False),
            ("ours", rows, ours, True),
            ("ours, without rows whose passes are guessed", stated, ours, True),
        ],
    )
    for title, key in (("domain", lambda each: each.estimate["domain"]), ("evidence", lambda each: each.evidence)):
        yield f"By {title}", [(name, some, ours, True) for name, some in grouped(rows, key)]


def show(rows):
    """Prints the tables of one file."""
    print(f"{'':<45}{'known':>6}{'covered':>8}{'':>6}{'within 2x':>10}{'median error':>12}{'in 90 %':>9}")
    for title, lines in groups(rows):
        print(title)
        for name, *told in lines:
            print(line(f"  {name}", *told))


def summarized(rows):
    """The same lines for the page."""
    for title, lines in groups(rows):
        shown = []
        for name, some, ours, has_interval in lines:
            known, covered, near, error, inside = summary(some, ours)
            row = {"name": name, "known": known, "covered": covered, "near": near, "median_factor": 10**error}
            row["inside"] = inside if has_interval else None
            shown.append(row if covered else row | {"near": None, "median_factor": None, "inside": None})
        yield title, shown


def held(rows):
    """Coverage: share of their values inside our central interval, for each nominal level."""
    depths = [depth(each) for each in rows if each.ours]
    for level in LEVELS:
        reach = NormalDist().inv_cdf(0.5 + level / 2)
        yield {"promised": level, "inside": sum(found <= reach for found in depths) / len(depths)}


def depth(each):
    """Distance of their value from ours, in standard deviations of the logarithm, by our interval's bound on that side."""
    bound = each.estimate["training_flop_low" if each.theirs < each.ours else "training_flop_high"]
    spread = abs(math.log(bound / each.ours)) / NormalDist().inv_cdf(0.95)
    return abs(math.log(each.theirs / each.ours)) / spread


def disagreements(rows):
    """A row of accuracy.csv for each estimate further than 2x from Epoch's value."""
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


def main(report: Path = REPORT, page: Path = PAGE) -> int:
    """Compares our estimates with both files and writes table and page; a file that is absent is skipped with a message."""
    records, params, told, files, calibration = ledger.load_all(), choices.load(), [], [], []
    for name in FILES:
        path = REFERENCE / name
        if not path.exists():
            print(f"{path} is not there: skipped", file=sys.stderr)
            continue
        start = time.perf_counter()
        rows = list(compared(path, records, params))
        print(f"{name}: {time.perf_counter() - start:.1f} s")
        show(rows)
        files.append({"name": name, "groups": list(summarized(rows))})
        calibration += [{**mark, "kind": name} for mark in held(rows)]
        told += disagreements(rows)
        print()
    if not told:
        return 0
    blame = [(whose, len(some)) for whose, some in grouped(told, lambda each: each["whose"])]
    guessed = sum("guessed" in each["evidence"] for each in told)
    for whose, times in blame:
        print(f"{whose:<12}{times:5d} of {len(told)} rows further than 2x")
    report.parent.mkdir(parents=True, exist_ok=True)
    report.write_text(
        csv_cells.text(COLUMNS, ([row[name] for name in COLUMNS] for row in told)), encoding="utf-8", newline=""
    )
    page.write_text(accuracy_page.page(files, calibration, blame, guessed), encoding="utf-8", newline="")
    print(f"{report.relative_to(ROOT)}: each of them with its explanation; {page.name}: these tables")
    return 0


if __name__ == "__main__":
    sys.exit(main())
