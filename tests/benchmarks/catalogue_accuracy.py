"""Accuracy against Epoch's own values: `make accuracy`.

The adapter (catalogues/epoch) never reads Epoch's compute; only this module does, to compare. Rows are read as if no
model had a record, so that we measure the reading of rows. The module prints tables, and writes them to
data/published/report for the site (accuracy.json), with each row that is more than 2x away (accuracy.csv has the ratio
of our value to theirs, not their value). The table of 2025 is a reference next to the repository; without it, nothing
is written.
"""

import csv
import itertools
import math
import statistics
import sys
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from pipeline.base.paths import PUBLISHED, ROOT, replace_file, snapshots
from pipeline.catalogues import epoch, estimates
from pipeline.catalogues.epoch.columns import row_number
from pipeline.catalogues.epoch.quantities import entries
from pipeline.catalogues.record_lookup import Recorded, headlines
from pipeline.catalogues.rows import Draft
from pipeline.publishing import csv_cells, summaries
from pipeline.records import ledger
from pipeline.records import params as choices
from pipeline.rules.ingestion.external import adjudications
from schemas.spelling import find
from schemas.units import HOUR_SECONDS
from tests.benchmarks.coverage import is_of

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
NEAR = 2.0
SAME = 1.2  # the reading of a row and its model's record agree within this factor
SCOPE_OF_TUNING = 0.5  # a value below this share of the base model's covers only the tuning
SAME_SCOPE = 1.1  # a stated total this close to the stated fine-tuning covers only the fine-tuning
COLUMNS = ("file", "source_row", "name", "domain", "evidence", "ours_to_theirs")


class Compared(NamedTuple):
    """One row with Epoch's compute: theirs, ours with its interval, a naive value (FLOP); our evidence; the record."""

    file: str
    draft: Draft
    estimate: dict
    theirs: float
    naive: float | None
    evidence: str
    model_id: str | None
    adjudicated: dict | None  # the adjudication of their value; None if nobody checked it

    @property
    def ours(self):
        """Return our estimate in FLOP, or None."""
        return self.estimate["training_flop"]

    @property
    def width(self):
        """Return the ratio of the 90 % interval's ends."""
        return self.estimate["training_flop_high"] / self.estimate["training_flop_low"]

    def is_inside(self, level):
        """Return whether the value to compare with is inside the central interval of a nominal share."""
        low, high = (self.estimate[name] for name in ENDS[level])
        return low <= self.theirs <= high


def compared(path, catalogue, records, params, ledger_rows, ids):
    """Return the rows of a file with Epoch's training compute, as if no model had a record; `ids`: row to record."""
    estimated = estimates.estimate(catalogue, records, params, ledger_rows, finds_records=False)
    with path.open(encoding="utf-8-sig", newline="") as file:
        truth = list(csv.DictReader(file))
    drafts = {draft.row.source_row: draft for draft in catalogue.drafts}
    snapshot = next((name for name, known in FILES.items() if known == path), "")
    rulings = adjudications(records)
    for row in estimated.estimates:
        number = row["source_row"]
        draft, cells = drafts[number], truth[number - 1]
        theirs = row_number(cells, "Training compute (FLOP)")
        tuning = row_number(cells, "Finetune compute (FLOP)")
        if theirs and theirs < (row["base_training_flop"] or 0) * SCOPE_OF_TUNING:
            row = row | dict.fromkeys(estimates.OF_A_TOTAL) | {"training_flop": row["own_training_flop"]}
        if theirs and not (draft.bases and tuning and 1 / SAME_SCOPE < theirs / tuning < SAME_SCOPE):
            adjudicated = next((entry for entry in rulings if is_of(entry, snapshot, draft.row.name, theirs)), None)
            model_id = ids.get(number)
            yield Compared(path.name, draft, row, theirs, naive(draft, records), evidence(row), model_id, adjudicated)


def naive(draft, records):
    """Return 6 x parameters x data x epochs for language and biology, otherwise chip time x peak x 0.3 or 0.4, in FLOP.

    None without inputs.
    """
    row = draft.row
    domains = entries(row["domain"])
    parameters, data, epochs = row.number("parameters"), row.number("datapoints"), row.number("epochs") or 1
    hours, chips, chip_hours = row.number("hours"), row.number("chips"), row.number("chip_hours")
    if domains and domains[0] in {"Language", "Biology"} and parameters and data:
        return 6 * parameters * data * epochs
    spent = chip_hours or (chips * hours if chips and hours else None)
    peak = naive_peak(entries(row["hardware"]), int((row.published or "2020")[:4]), records)
    return spent * HOUR_SECONDS * peak * (0.3 if "Language" in domains else 0.4) if spent and peak else None


def naive_peak(named, year, records):
    """Return the geometric mean of the chips' peaks (FLOP/s), or the year's usual peak; None for an unknown chip."""
    word = "16bit" if year >= 2020 else "fp32"
    if not named:
        series = next(default.series for default in records.defaults.values() if default.series)[word]
        return next((peak.value for peak in series.years if peak.year == year), None)
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
    method = row["headline_method"]
    if row["training_flop"] and method is None:
        return "tuning alone"
    if method is None:
        return "none"
    if row["base_training_flop"]:
        return "base model alone" if row["own_training_flop"] is None else "with its base model"
    if method == "operation_count":
        return "operations, 2 x parameters"
    return "GPU time" if method == "gpu_time" else "both methods"


def figures(name, rows, value_of, has_interval=True):
    """Return a line of a table: rows with Epoch's value, rows with ours, share within 2x, median factor, share held."""
    covered = [row for row in rows if value_of(row)]
    errors = [abs(math.log10(value_of(row) / row.theirs)) for row in covered]
    inside = [row.is_inside(0.9) for row in rows if has_interval and row.estimate["training_flop_low"]]
    return {
        "name": name,
        "known": len(rows),
        "covered": len(covered),
        "near": sum(error <= math.log10(NEAR) for error in errors) / len(covered) if covered else None,
        "median_factor": 10 ** statistics.median(errors) if errors else None,
        "inside": sum(inside) / len(inside) if inside else None,
    }


def grouped(rows, key):
    """Return the rows grouped by a key, the largest group first."""
    groups = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return sorted(groups.items(), key=lambda pair: (-len(pair[1]), pair[0]))


def summarized(rows):
    """Yield the tables of one file: heading and lines."""

    def ours(row):
        return row.ours

    alone = [row for row in rows if row.model_id is None]
    adjudicated = [row for row in rows if row.adjudicated]
    corrected = [row._replace(theirs=flop) for row in adjudicated if (flop := row.adjudicated["corrected_flop"])]
    yield (
        "All",
        [
            figures("naive", rows, lambda row: row.naive, has_interval=False),
            figures("ours, each row read by itself", rows, ours),
            figures("ours, models without a record", alone, ours),
            figures("ours, adjudicated rows as published", adjudicated, ours),
            figures("ours, the same rows as adjudicated", corrected, ours),
        ],
    )
    for title, key in (("domain", lambda row: row.estimate["domain"]), ("evidence", lambda row: row.evidence)):
        yield f"By {title}", [figures(name, some, ours) for name, some in grouped(rows, key)]


def compared_rows(rows, ledger_rows):
    """Yield the rows with a point estimate: those with a record, compared with it; the others, with Epoch's value."""
    with_point = [row for row in rows if row.ours and row.estimate["training_flop_low"]]
    recorded = ((row, ledger_rows[row.model_id]["training_flop"]) for row in with_point if row.model_id)
    yield "models with a record, beside it", [row._replace(theirs=flop) for row, flop in recorded if flop]
    yield "models without a record, beside Epoch's value", [row for row in with_point if not row.model_id]


def held(rows):
    """Return the coverage of rows with a point estimate: the share in the central interval, by nominal share."""
    return {level: sum(row.is_inside(level) for row in rows) / len(rows) for level in ENDS}


def intervals(rows):
    """Yield the coverage of all rows and of quarters by width: name, number of rows, range of widths, shares."""
    ordered = sorted(rows, key=lambda row: row.width)
    ends = [round(len(ordered) * number / 4) for number in range(5)]
    quarters = [ordered[start:end] for start, end in itertools.pairwise(ends)]
    for name, some in zip(("all", "narrowest quarter", "second", "third", "widest"), (ordered, *quarters), strict=True):
        shares = list(held(some).values())
        yield {"name": name, "number": len(some), "from": some[0].width, "to": some[-1].width, "shares": shares}


def show(title, rows):
    """Print a table."""
    print(f"{title}\n{pd.DataFrame(rows).to_string(index=False, float_format='%.3g')}\n")


def beside_records(rows, ledger_rows):
    """Return a line on rows whose model has a record: how often the row's estimate differs from the record's number."""
    pairs = [(row.ours, ledger_rows[row.model_id]["training_flop"]) for row in rows if row.model_id and row.ours]
    both = [(ours, theirs) for ours, theirs in pairs if theirs]
    far = sum(not 1 / SAME <= ours / theirs <= SAME for ours, theirs in both)
    named = sum(row.model_id is not None for row in rows)
    return (
        f"{named} rows are models with a record and show its number; of {len(both)} with a number of both, the row read by itself"
        f" differs from the record by more than {SAME:g}x in {far}"
    )


def disagreements(rows):
    """Yield a row of accuracy.csv for each estimate further than 2x from Epoch's value."""
    for row in rows:
        if row.ours and abs(math.log10(row.ours / row.theirs)) > math.log10(NEAR):
            source = row.draft.row
            yield row.file, source.source_row, source.name, row.estimate["domain"], row.evidence, row.ours / row.theirs


def main(report: Path = REPORT, summary: Path = SUMMARY) -> int:
    """Compare our estimates with the files and write the tables, which do not change if a file is missing."""
    records, params = ledger.load_all(), choices.load()
    recorded, ledger_rows = Recorded(records), headlines(records, params)
    far, files, marks, everything, coverage = [], [], [], [], []
    for path in FILES.values():
        if not path.exists():
            continue
        catalogue = epoch.read(path, records)
        ids = {draft.row.source_row: name for draft in catalogue.drafts if (name := recorded.record_of_row(draft.row))}
        rows = list(compared(path, catalogue, records, params, ledger_rows, ids))
        files.append({"name": path.name, "groups": list(summarized(rows))})
        for title, lines in files[-1]["groups"]:
            show(f"{path.name}: {title}", lines)
        print(beside_records(rows, ledger_rows), end="\n\n")
        for label, some in compared_rows(rows, ledger_rows):
            kind, lines = f"{path.name}, {label}", list(intervals(some))
            decades = statistics.fmean(math.log10(row.width) for row in some)
            show(
                f"{kind} ({decades:.2f} decades)",
                [line | {"shares": " ".join(f"{share:.0%}" for share in line["shares"])} for line in lines],
            )
            coverage.append({"name": kind, "levels": [f"{100 * level:g}" for level in ENDS], "rows": lines})
            marks += [{"promised": level, "inside": share, "kind": kind} for level, share in held(some).items()]
        far += disagreements(rows)
        everything += rows
    print(f"{len(far)} rows further than 2x")
    absent = [path for path in FILES.values() if not path.exists()]
    if absent:
        names = " and ".join(str(path) for path in absent)
        print(f"{report.relative_to(ROOT)} stays as it is: it compares with {names} too, not found", file=sys.stderr)
        return 1
    report.parent.mkdir(parents=True, exist_ok=True)
    replace_file(report, csv_cells.text(COLUMNS, far))
    figures_of_site = {"files": files, "marks": marks, "further": len(far), "coverage": coverage}
    summaries.write(summary, figures_of_site)
    print(f"{report.relative_to(ROOT)}: each of them; {summary.name}: these tables")
    return 0


if __name__ == "__main__":
    sys.exit(main())
