"""`make fit-uncertainty`: prints the values to write beside the stored ones, the scores, and writes all of it for the site."""

import sys
from collections.abc import Mapping
from math import exp
from pathlib import Path

import pandas as pd

from pipeline.fitting import fit, scores
from pipeline.fitting import pairs as learned
from pipeline.fitting.rounding import is_spread, shown
from pipeline.paths import PUBLISHED, TABLES
from pipeline.publishing import summaries

SUMMARY = PUBLISHED / "report/calibration.json"
LABELS = {
    "examples": "Class of the examples",
    "chip time": "Class of the chip time",
    "operations": "Operations",
    "utilization": "Utilization of the GPU time",
    "GPU time": "Reason for the GPU time",
    "year": "Published",
    "domain": "Domain",
}


def lines(found: Mapping[str, fit.Fitted], stored: Mapping[str, float]) -> list[dict]:
    """The table of values: fitted, with the 68 % range, beside the stored one; spreads as factors."""

    def turned(name: str, value: float) -> float:
        return exp(value) if is_spread(name) else value

    return [
        {
            "name": name,
            "value": shown(name, turned(name, own.value)),
            "low": shown(name, turned(name, own.low)),
            "high": shown(name, turned(name, own.high)),
            "stored": shown(name, turned(name, stored[name])),
            "is_inside": own.low <= stored[name] <= own.high,
            "groups": own.groups,
            "note": own.note,
        }
        for name, own in found.items()
    ]


def summary(of: Mapping[str, pd.DataFrame]) -> dict:
    """All that the command prints and the site shows."""
    pairs, totals = learned.pairs(of), learned.totals(of)
    rows = scores.left_out(pairs, totals)
    return {
        "pairs": len(pairs.models),
        "groups": len({*pairs.groups}),
        "totals": len(totals.models),
        "folds": scores.FOLDS,
        "fewest": fit.FEWEST_GROUPS,
        "values": lines(fit.fitted(pairs, totals), learned.stored(of["defaults"])),
        "log_scores": list(scores.log_scores(rows)) if len(rows) else [],
        "coverage": scores.coverage(rows) if len(rows) else [],
        "by_label": scores.by_label(rows, LABELS) if len(rows) else [],
        "external": scores.external(of["estimates"], of["external_estimates"]),
        "adjudicated": scores.adjudication(
            scores.drawn(of["estimates"], of["external_estimates"], of["adjudications"])
        ),
        "widths": scores.widths(of["estimates"]),
    }


def show(found: dict) -> None:
    """Prints what was found."""
    print(f"Pairs: {found['pairs']}, groups: {found['groups']}, totals of authors: {found['totals']}\n")
    print(f"{'':<26}{'fitted':>8}{'68 % range':>16}{'stored':>8}{'groups':>8}")
    for row in found["values"]:
        reach, far = f"{row['low']} to {row['high']}", "" if row["is_inside"] else "outside the range; "
        print(
            f"{row['name']:<26}{row['value']:>8}{reach:>16}{row['stored']:>8}{row['groups']:8d}  {far}{row['note']}".rstrip(
                "; "
            )
        )
    if not found["coverage"]:
        print(f"\nFewer than {found['folds']} groups: none can be left out, so there are no scores.")
    for row in found["log_scores"]:
        than = "" if row["error"] is None else f", {row['gain']:+.3f} ± {row['error']:.3f} the mixture's over it"
        print(f"{row['name']:<26}{row['score']:8.3f} nats a pair{than}")
    for row in found["coverage"]:
        print(f"{row['level']:<26.0%}{_share(row)}")
    for title, own in found["by_label"]:
        print(f"{title}, 90 %")
        for row in own:
            print(f"  {row['name']:<24}{_share(row)}{row['half']:5d} in 50 %, ×{row['width']:.3g} wide")
    print("External estimates, 90 %")
    for row in found["external"]:
        print(f"  {row['name']:<24}{_share(row)}{row['half']:5d} in 50 %")
    judged = found["adjudicated"]
    print(
        f"Adjudicated values: {judged['number']}, {judged['dropped']} of them of another artefact;"
        f" {judged['restating']} restate one of the ledger's methods"
    )
    for row in [*judged["coverage"], *judged["standing"]]:
        print(f"  {row['name']:<24}{_strata(row)}")
        if "half" in row:
            print(f"    {'in 50 %':<22}{_strata(row['half'])}")
    print("Width of the published 90 % intervals, high / low")
    for row in found["widths"]:
        print(f"  {row['name']:<24}{row['number']:5d}   median ×{row['median']:.3g}, mean ×{row['mean']:.3g}")


def _strata(row: dict) -> str:
    shares = "   ".join(f"{word} {_share(own)}" for word, own in row["strata"].items())
    return f"{shares}   weighted {row['weighted']:4.0%}"


def _share(row: dict) -> str:
    if not row["number"]:
        return f"{'none':<23}"
    return f"{row['held']:4d} of {row['number']:<4d}{row['low']:5.0%} to {row['high']:4.0%}"


def main(tables: Path = TABLES, kept: Path = SUMMARY) -> int:
    """Fits, prints and writes the summary; without tables or pairs it says so."""
    absent = [name for name in learned.TABLES if not (tables / f"{name}.parquet").exists()]
    if absent:
        print(f"{tables} has no {', '.join(absent)}: run `make repro` first", file=sys.stderr)
        return 1
    try:
        found = summary(learned.tables(tables))
    except fit.FitError as problem:
        print(problem, file=sys.stderr)
        return 1
    show(found)
    summaries.write(kept, found)
    print(f"{kept.name}: these tables")
    return 0


if __name__ == "__main__":
    sys.exit(main())
