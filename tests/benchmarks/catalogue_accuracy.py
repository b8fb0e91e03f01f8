"""Accuracy against Epoch's own values: `make accuracy`.

The adapter (catalogues/epoch) never reads Epoch's compute; only this module does, to compare. Rows are read as if no
model had a record, so that we measure the reading of rows. Prints tables, and writes the same into
data/published/report for the site (accuracy.json), with each row further than 2x away (accuracy.csv: our value divided
by theirs, which is not repeated). The table of 2025 is a reference next to the repository; if it is missing, the report
says so.
"""

import csv
import math
import statistics
import sys
import time
from pathlib import Path
from typing import NamedTuple

from pipeline.base.paths import PUBLISHED, ROOT, replace_file, snapshots
from pipeline.catalogues import epoch, estimates, headlines
from pipeline.catalogues.epoch.columns import row_number
from pipeline.catalogues.epoch.quantities import several
from pipeline.catalogues.recorded import Recorded
from pipeline.catalogues.rows import Draft
from pipeline.publishing import csv_cells, summaries
from pipeline.records import ledger
from pipeline.records import params as choices
from pipeline.rules.adjudicated import by_cell, judged
from pipeline.rules.ingestion.external import adjudications
from schemas.spelling import find
from schemas.units import HOUR_SECONDS
from tests.benchmarks import catalogue_calibration as calibration

# Files, by the names that records and adjudications use for them.
FILES = {
    "epoch_models_2025": ROOT.parent / "shared/reference/epoch_models_2025.csv",
    "epoch_notable_2026": snapshots()[0],
}
REPORT = PUBLISHED / "report/accuracy.csv"
SUMMARY = REPORT.with_suffix(".json")
ENDS = {
    0.5: ("training_flop_p25", "training_flop_p75"),
    0.8: ("training_flop_p10", "training_flop_p90"),
    0.9: ("training_flop_low", "training_flop_high"),
    0.95: ("training_flop_p2_5", "training_flop_p97_5"),
}  # of central intervals, by their nominal share
GUESSED = "passes assumed"
NEAR = 2.0
SAME = 1.2  # the reading of a row and its model's record agree within this factor
SCOPE_OF_TUNING = 0.5  # a value below this share of the base model's covers only the tuning
SAME_SCOPE = 1.1  # a stated total this close to the stated fine-tuning covers only the fine-tuning
COLUMNS = ("file", "source_row", "name", "domain", "evidence", "ours_to_theirs")


class Compared(NamedTuple):
    """One row with Epoch's compute: theirs, ours with its interval and a naive value, in FLOP; the evidence for ours; and the model's record."""

    file: str
    draft: Draft
    estimate: dict
    theirs: float
    naive: float | None
    evidence: str
    notes: str
    model_id: str | None
    adjudicated: dict | None  # the adjudication of their value; None if nobody checked it

    @property
    def ours(self):
        """Return our estimate in FLOP, or None."""
        return self.estimate["training_flop"]


def read_beside(catalogue, records, params, ledger_rows):
    """Return the estimates of a file's rows as if no row's model had a record."""
    return estimates.estimate_drafts(catalogue.drafts, catalogue.bad, records, params, ledger_rows)


def compared(path, catalogue, records, params, ledger_rows, ids=None):
    """Return the rows of a file for which Epoch states training compute, read as if no model had a record; `ids` maps rows to records."""
    estimated = read_beside(catalogue, records, params, ledger_rows)
    with path.open(encoding="utf-8-sig", newline="") as file:
        truth = list(csv.DictReader(file))
    drafts = {each.row.source_row: each for each in catalogue.drafts}
    snapshot = next((name for name, known in FILES.items() if known == path), "")
    cells_of = by_cell(adjudications(records))
    for row in estimated.estimates:
        number = row["source_row"]
        draft, cells = drafts[number], truth[number - 1]
        theirs = row_number(cells, "Training compute (FLOP)")
        tuning = row_number(cells, "Finetune compute (FLOP)")
        if theirs and theirs < (row["base_training_flop"] or 0) * SCOPE_OF_TUNING:
            row = row | dict.fromkeys(estimates.OF_A_TOTAL) | {"training_flop": row["own_training_flop"]}
        if theirs and not (draft.bases and tuning and 1 / SAME_SCOPE < theirs / tuning < SAME_SCOPE):
            said = " ".join(cells.get(name) or "" for name in ("Training compute notes", "Finetune compute notes"))
            named = (ids or {}).get(number)
            found = judged(cells_of, snapshot, draft.row.name, theirs)
            yield Compared(path.name, draft, row, theirs, naive(draft, records), evidence(row), said, named, found)


def naive(draft, records):
    """Return the simplest estimate in FLOP: 6 x parameters x data x epochs for language and biology, otherwise chips x time x peak x 0.3 or 0.4.

    None without inputs.
    """
    row = draft.row
    domains = several(row["domain"])
    parameters, data, epochs = row.number("parameters"), row.number("datapoints"), row.number("epochs") or 1
    hours, chips, chip_hours = row.number("hours"), row.number("chips"), row.number("chip_hours")
    if domains and domains[0] in {"Language", "Biology"} and parameters and data:
        return 6 * parameters * data * epochs
    spent = chip_hours or (chips * hours if chips and hours else None)
    peak = naive_peak(several(row["hardware"]), int((row.published or "2020")[:4]), records)
    return spent * HOUR_SECONDS * peak * (0.3 if "Language" in domains else 0.4) if spent and peak else None


def naive_peak(named, year, records):
    """Return the simplest estimate in FLOP: 6 x parameters x data x epochs for language and biology, otherwise chips x time x peak x 0.3 or 0.4."""
    word = "16bit" if year >= 2020 else "fp32"
    if not named:
        series = next(each.series for each in records.defaults.values() if each.series)[word]
        return next((each.value for each in series.years if each.year == year), None)
    ids, peaks = records.chip_ids(), []
    for name in named:
        chip = records.hardware.get(find(name, ids) or "")
        if chip is None:
            return None
        formats = {str(key): peak.amount for key, peak in chip.peaks.items()}
        sixteen = [formats[key] for key in ("fp16", "bf16") if key in formats]
        wide = formats.get("fp32") or max(formats.values())
        peaks.append(max(sixteen) if sixteen and (word == "16bit" or "fp32" not in formats) else wide)
    return math.exp(statistics.fmean(map(math.log, peaks)))


def evidence(row):
    """Return the evidence behind an estimate in a few words."""
    rules, method = row["rules"] or "", row["headline_method"]
    if row["training_flop"] and method is None:
        return "tuning alone"
    if method is None:
        return "none"
    if row["base_training_flop"]:
        return "base model alone" if row["own_training_flop"] is None else "with its base model"
    if row["training_flop"] is None:
        return "order of magnitude"
    if method == "operation_count":
        return "operations, layers counted" if "layers counted" in rules else "operations, 2 x parameters"
    return "GPU time" if method == "gpu_time" else "both methods"


def summary(rows, ours=lambda each: each.ours):
    """Return number, coverage, share within 2x, median error in powers of ten, and share inside the 90 % interval."""
    covered = [each for each in rows if ours(each)]
    errors = [abs(math.log10(ours(each) / each.theirs)) for each in covered]
    inside = [
        each.estimate["training_flop_low"] <= each.theirs <= each.estimate["training_flop_high"]
        for each in rows
        if each.estimate["training_flop_low"]
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
    """Return one line of a table."""
    known, covered, near, error, inside = summary(rows, ours)
    interval = f"{inside:9.0%}" if has_interval and not math.isnan(inside) else "        -"
    share = f"{near:10.0%}{error:12.3f}" if covered else "         -           -"
    return f"{label:<45}{known:6d}{covered:8d}{covered / known:6.0%}{share}{interval}"


def grouped(rows, key):
    """Return the rows grouped by a key, the largest group first."""
    groups = {}
    for each in rows:
        groups.setdefault(key(each), []).append(each)
    return sorted(groups.items(), key=lambda pair: (-len(pair[1]), pair[0]))


def groups(rows):
    """Return the lines of one file's table, by heading: name, rows, the estimate (ours or the naive one), and whether it has an interval."""

    def ours(each):
        return each.ours

    alone = [each for each in rows if each.model_id is None]
    looked_at = [each for each in rows if each.adjudicated]
    corrected = [each._replace(theirs=flop) for each in looked_at if (flop := each.adjudicated["corrected_flop"])]
    yield (
        "All",
        [
            ("naive", rows, lambda each: each.naive, False),
            ("ours, each row read by itself", rows, ours, True),
            ("ours, models without a record", alone, ours, True),
            ("ours, adjudicated rows as published", looked_at, ours, True),
            ("ours, the same rows as adjudicated", corrected, ours, True),
        ],
    )
    for title, key in (("domain", lambda each: each.estimate["domain"]), ("evidence", lambda each: each.evidence)):
        yield f"By {title}", [(name, some, ours, True) for name, some in grouped(rows, key)]


def show(rows):
    """Print the tables of one file."""
    print(f"{'':<45}{'known':>6}{'covered':>8}{'':>6}{'within 2x':>10}{'median error':>12}{'in 90 %':>9}")
    for title, lines in groups(rows):
        print(title)
        for name, *told in lines:
            print(line(f"  {name}", *told))


def summarized(rows):
    """Return the same lines for the site."""
    for title, lines in groups(rows):
        shown = []
        for name, some, ours, has_interval in lines:
            known, covered, near, error, inside = summary(some, ours)
            row = {"name": name, "known": known, "covered": covered, "near": near, "median_factor": 10**error}
            row["inside"] = inside if has_interval and not math.isnan(inside) else None
            shown.append(row if covered else row | {"near": None, "median_factor": None})
        yield title, shown


class Beside(NamedTuple):
    """A row with a point estimate, and the value to compare it with: its model's record or Epoch's value, in FLOP."""

    estimate: dict
    truth: float

    @property
    def width(self):
        """Return the ratio of the 90 % interval's ends."""
        return self.estimate["training_flop_high"] / self.estimate["training_flop_low"]

    def is_inside(self, level):
        """Return whether the truth is inside the central interval of a nominal share."""
        low, high = (self.estimate[name] for name in ENDS[level])
        return low <= self.truth <= high


def beside(rows, ledger_rows):
    """Return the rows with a point estimate in two groups: those with a record, compared with it, and the others, compared with Epoch's value."""
    with_point = [each for each in rows if each.ours and each.estimate["training_flop_low"]]
    recorded = [(each, ledger_rows[each.model_id]["training_flop"]) for each in with_point if each.model_id]
    yield "models with a record, beside it", [Beside(each.estimate, flop) for each, flop in recorded if flop]
    others = [each for each in with_point if not each.model_id]
    yield "models without a record, beside Epoch's value", [Beside(each.estimate, each.theirs) for each in others]


def held(rows):
    """Return the coverage of rows with a point estimate: the share inside the central interval, for each nominal share."""
    return {level: sum(each.is_inside(level) for each in rows) / len(rows) for level in ENDS}


def intervals(rows):
    """Return the coverage of all rows and of quarters by width: name, number of rows, range of widths, shares."""
    ordered = sorted(rows, key=lambda each: each.width)
    ends = [round(len(ordered) * number / 4) for number in range(5)]
    quarters = [ordered[start:end] for start, end in zip(ends, ends[1:], strict=False)]
    for name, own in zip(("all", "narrowest quarter", "second", "third", "widest"), (ordered, *quarters), strict=True):
        yield {
            "name": name,
            "number": len(own),
            "from": own[0].width,
            "to": own[-1].width,
            "shares": list(held(own).values()),
        }


def show_intervals(label, rows):
    """Print `intervals`, and the mean width in decades."""
    decades = statistics.fmean(math.log10(each.width) for each in rows)
    print(f"{label} ({decades:.2f} decades)")
    for row in intervals(rows):
        width = f"x{row['from']:.3g} to x{row['to']:.3g}"
        print(
            f"  {row['name']:<43}{row['number']:6d}{width:>20}" + "".join(f"{share:>8.0%}" for share in row["shares"])
        )


def show_fits(rows, ledger_rows, widths):
    """Print the stored half of each error, and the half that fits rows with a record best."""
    misses = {}
    for each in rows:
        record = each.model_id and ledger_rows[each.model_id]["training_flop"]
        if each.ours and record and not each.draft.bases:
            error = widths.of_own(each.estimate, is_magnitude=False)
            misses.setdefault(error, []).append(math.log(record / each.ours))
    for name, error in ((name, error) for name, error in widths._asdict().items() if error in misses):
        best = calibration.fitted(misses[error], error)
        print(
            f"{name}: {error.half:g} stored, {best.half:.2g} fits {len(misses[error])} rows best; nats lost by the stored one"
            f" {best.lost:.1f}, by its half {best.lost_at_half:.1f}, by its double {best.lost_at_double:.1f}"
        )


def beside_records(rows, ledger_rows):
    """Return a line on rows whose model has a record: how often the estimate from the row differs from the record's number."""
    pairs = [(each.ours, ledger_rows[each.model_id]["training_flop"]) for each in rows if each.model_id and each.ours]
    both = [(own, theirs) for own, theirs in pairs if theirs]
    far = sum(not 1 / SAME <= own / theirs <= SAME for own, theirs in both)
    named = sum(each.model_id is not None for each in rows)
    return (
        f"{named} rows are models with a record and show its number; of {len(both)} with a number of both, the row read by itself"
        f" differs from the record by more than {SAME:g}x in {far}"
    )


def disagreements(rows):
    """Yield a row of accuracy.csv for each estimate further than 2x from Epoch's value."""
    for each in rows:
        if not each.ours or abs(math.log10(each.ours / each.theirs)) <= math.log10(NEAR):
            continue
        yield {
            "file": each.file,
            "source_row": each.draft.row.source_row,
            "name": each.draft.row.name,
            "domain": each.estimate["domain"],
            "evidence": each.evidence,
            "ours_to_theirs": each.ours / each.theirs,
        }


def main(report: Path = REPORT, summary: Path = SUMMARY) -> int:
    """Compare our estimates with the files and write table and summary, which do not change if a file is missing."""
    records, params = ledger.load_all(), choices.load()
    recorded, ledger_rows = Recorded(records), headlines.of_ledger(records, params)
    told, files, marks, everything, shown = [], [], [], [], []
    for path in FILES.values():
        if not path.exists():
            continue
        start = time.perf_counter()
        catalogue = epoch.read(path, records)
        ids = {each.row.source_row: name for each in catalogue.drafts if (name := recorded.of_row(each.row))}
        rows = list(compared(path, catalogue, records, params, ledger_rows, ids))
        print(f"{path.name}: {time.perf_counter() - start:.1f} s")
        show(rows)
        print(beside_records(rows, ledger_rows))
        print()
        files.append({"name": path.name, "groups": list(summarized(rows))})
        for label, some in beside(rows, ledger_rows):
            name = f"{path.name}, {label}"
            show_intervals(name, some)
            shown.append(
                {"name": name, "levels": [f"{100 * level:g}" for level in ENDS], "rows": list(intervals(some))}
            )
            marks += [{"promised": level, "inside": share, "kind": name} for level, share in held(some).items()]
        if path == snapshots()[0]:
            show_fits(rows, ledger_rows, estimates.Widths.of(records))
        told += disagreements(rows)
        everything += rows
    guessed = sum(each.evidence == "order of magnitude" for each in everything)
    print(f"{len(told)} rows further than 2x")
    absent = [path for path in FILES.values() if not path.exists()]
    if absent:
        names = " and ".join(str(path) for path in absent)
        print(f"{report.relative_to(ROOT)} stays as it is: it compares with {names} too, not found", file=sys.stderr)
        return 1
    report.parent.mkdir(parents=True, exist_ok=True)
    text = csv_cells.text(COLUMNS, ([row[name] for name in COLUMNS] for row in told))
    replace_file(report, text)
    summaries.write(
        summary, {"files": files, "marks": marks, "further": len(told), "guessed": guessed, "coverage": shown}
    )
    print(f"{report.relative_to(ROOT)}: each of them; {summary.name}: these tables")
    return 0


if __name__ == "__main__":
    sys.exit(main())
