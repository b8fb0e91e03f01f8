"""`make fit-uncertainty`: print the evidence for the error's six numbers, and propose the three that concern GPU time."""

import sys
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.base.paths import PUBLISHED, TABLES
from pipeline.publishing import summaries
from pipeline.tools.fitting import coverage, evidence, fit

SUMMARY = PUBLISHED / "report/calibration.json"


def summary(tables: Path) -> dict[str, Any]:
    """Return the figures that the command prints and the site shows."""
    connection = evidence.ledger(tables)
    stored, pairs, statements = (
        evidence.numbers(connection),
        evidence.pairs(connection),
        evidence.statements(connection),
    )
    basis = dict(
        connection.execute("select applies_to, default_basis from defaults where quantity = 'uncertainty'").fetchall()
    )
    proposed = fit.fitted(pairs, [float(np.log(stored[name])) for name in fit.OF_TIME])
    numbers = []
    for name in fit.OF_COUNTS + fit.OF_TIME:
        half, double = fit.lost(connection, pairs, name)
        row = {
            "name": name,
            "stored": stored[name],
            "basis": basis[name],
            "lost_at_half": half,
            "lost_at_double": double,
        }
        numbers.append(row | dict(zip(("fitted", "low", "high"), proposed.get(name, (None,) * 3), strict=True)))
    others = statements[statements["inputs"] != "same_time"]
    kinds = {"all": statements, "not same_time": others, **dict(iter(statements.groupby("inputs")))}
    return {
        "pairs": len(pairs), "groups": pairs["group"].nunique(), "statements": len(fit.of_counts(statements)),
        "numbers": numbers,
        "other_counts": [
            {"source": source, "name": name, "counts": len(counts), "stored": stored[name]} | fit.of_other_counts(counts, stored[name])
            for (source, name), counts in evidence.other_counts(connection).groupby(["source", "evidence_class"])
        ],
        "log_scores": [*fit.left_out(pairs)], "ranks": coverage.ranks(others),
        "coverage": [
            {"name": kind} | {
                word: {str(level): coverage.held(group, f"{word}_flop", level) for level in sorted(coverage.INTERVALS)}
                for word in ("stated", "adjudicated")
            } for kind, group in kinds.items()
        ],
    }  # fmt: skip


def show(figures: dict[str, Any]) -> None:
    """Print the summary."""
    print(f"{figures['pairs']} pairs of {figures['groups']} groups, {figures['statements']} statements about counts\n")
    print(f"{'':<16}{'in use':>8}{'basis':>10}{'nats lost at half':>20}{'at double':>11}   fitted to pairs, 90 % range")
    for row in figures["numbers"]:
        fitted = "" if row["fitted"] is None else f"   {row['fitted']:.2f}, {row['low']:.2f} to {row['high']:.2f}"
        values = f"{row['stored']:>8.2f}{row['basis']:>10}{row['lost_at_half']:>20.1f}{row['lost_at_double']:>11.1f}"
        print(f"{row['name']:<16}{values}{fitted}")
    print(
        f"\n{'The width given only counts by others':<45}{'counts':>7}{'in use':>8}{'best':>8}{'nats lost at half':>19}{'at double':>11}{'in use':>8}"
    )
    for row in figures["other_counts"]:
        profile = "".join(
            f"{row[f'lost_{at}']:>{width}.1f}" for at, width in (("at_half", 19), ("at_double", 11), ("in_use", 8))
        )
        print(
            f"{row['name'] + ', ' + row['source']:<45}{row['counts']:>7}{row['stored']:>8.2f}{row['fitted']:>8.3f}{profile}"
        )
    print("\nPairs of groups left out of the fit, nats a pair")
    for row in figures["log_scores"]:
        print(f"{row['name']:<16}{row['score']:>8.3f}   the model's lead {row['gain']:+.3f} ± {row['error']:.3f}")


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
