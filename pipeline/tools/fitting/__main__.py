"""`make fit-uncertainty`: print the evidence for the error's six numbers, and propose the three that concern GPU time."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from pipeline.base.paths import PUBLISHED, TABLES
from pipeline.publishing import summaries
from pipeline.tools.fitting import coverage, evidence, fit

SUMMARY = PUBLISHED / "report/calibration.json"
# Titles of the printed tables, by their keys in the summary. Likelihoods are in nats.
TITLES = {
    "numbers": "Numbers of the error: likelihood lost at half and at double the number, and the value fitted to pairs",
    "other_counts": "Widths given only counts by others: the most likely width, and the likelihood that other widths lose",
    "log_scores": "Mean log score per pair of groups left out of the fit, and our model's gain over each model",
}


def summary(tables: Path) -> dict[str, Any]:
    """Return the figures that the command prints and the site shows, from the tables in this folder."""
    connection = evidence.ledger(tables)
    stored, pairs = evidence.numbers(connection), evidence.pairs(connection)
    statements = evidence.statements(connection)
    bases = "select applies_to, default_basis from defaults where quantity = 'uncertainty'"
    basis = dict(connection.execute(bases).fetchall())
    proposed = fit.fitted(pairs, [float(np.log(stored[name])) for name in fit.OF_TIME])
    numbers = []
    for name in fit.OF_COUNTS + fit.OF_TIME:
        half, double = fit.lost(connection, pairs, name)
        row = {"name": name, "stored": stored[name], "basis": basis[name]}
        row |= {"lost_at_half": half, "lost_at_double": double}
        numbers.append(row | dict(zip(("fitted", "low", "high"), proposed.get(name, (None,) * 3), strict=True)))
    not_same_time = statements[statements["inputs"] != "same_time"]
    statements_by_kind = {"all": statements, "not same_time": not_same_time, **dict(iter(statements.groupby("inputs")))}
    return {
        "pairs": len(pairs), "groups": pairs["group"].nunique(), "statements": len(fit.of_counts(statements)),
        "numbers": numbers,
        "other_counts": [
            {"source": source, "name": name, "counts": len(counts), "stored": stored[name]} | fit.of_other_counts(counts, stored[name])
            for (source, name), counts in evidence.other_counts(connection).groupby(["source", "evidence_class"])
        ],
        "log_scores": [*fit.left_out(pairs)], "ranks": coverage.ranks(not_same_time),
        "coverage": [
            {"name": kind} | {
                word: {str(level): coverage.held(group, f"{word}_flop", level) for level in sorted(coverage.INTERVALS)}
                for word in ("stated", "adjudicated")
            } for kind, group in statements_by_kind.items()
        ],
    }  # fmt: skip


def show(figures: dict[str, Any]) -> None:
    """Print the summary's tables."""
    print(f"{figures['pairs']} pairs of {figures['groups']} groups, {figures['statements']} statements about counts")
    for key, title in TITLES.items():
        table = pd.DataFrame(figures[key]).set_index("name").rename_axis(None)
        print(f"\n{title}\n{table.to_string(float_format='{:.2f}'.format, na_rep='')}")


def main(tables: Path = TABLES, kept: Path = SUMMARY) -> int:
    """Fit the numbers, then print and write the summary. Return 1 if there are no tables."""
    if not any(tables.glob("*/estimates.parquet")):
        print(f"{tables} has no tables: run `make repro` first", file=sys.stderr)
        return 1
    figures = summary(tables)
    show(figures)
    summaries.write(kept, figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
