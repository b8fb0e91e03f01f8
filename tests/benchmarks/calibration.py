"""Print how well the published intervals hold, next to another release: `make calibration [BEFORE=estimates.csv]`.

The guards of tests/golden/test_guards.py are limits on these figures.
"""

import math
import sys

import numpy as np
import pandas as pd

from pipeline.base.paths import PUBLISHED, ROOT, TABLES
from tests.benchmarks import coverage
from tests.benchmarks.coverage import held

RESTATING = ("same_count", "same_both")  # a statement that counts as we do does not show how far the count is off
FORMER = ROOT / "data/releases/2026-11-21/estimates.csv"


def with_estimates(statements, estimates):
    """Return the statements with the columns of these estimates, if they have a headline there."""
    named = statements[["model_id", "stated_flop", "adjudicated_flop", "inputs", "is_disputed"]]
    kept = estimates[estimates["training_flop"].notna()].drop(columns="is_disputed")
    return named.merge(kept, on="model_id")


def interval_score(own, column="stated_flop"):
    """Return the mean 90 % interval score (Gneiting & Raftery 2007) in ln: width plus 20 times what is outside."""
    low, high, value = (np.log(own[name]) for name in ("training_flop_low", "training_flop_high", column))
    return float((high - low + 20 * (low - value).clip(lower=0) + 20 * (value - high).clip(lower=0)).mean())


def log_score(statements, column="stated_flop"):
    """Return the mean log density of statements about counted one-part models, in nats."""
    own = statements[statements["is_one_part"] & (statements["shape"] == "operation_count")].dropna(subset=column)
    errors = np.log(own[column] / own["training_flop"]) - own["lean_log"]
    return float(coverage.log_density(errors, own["up_log"], own["down_log"]).mean())


def thirds(own, column="stated_flop"):
    """Return how many statements are in the 90 % intervals: of the narrowest, the middle and the widest third."""
    order = (own["training_flop_high"] / own["training_flop_low"]).rank(method="first")
    return [held(own[np.ceil(3 * order / len(own)) == number], column, 90) for number in (1, 2, 3)]


def within(own, ratio, column="stated_flop"):
    """Return how many statements are within this factor of the headline."""
    own = own.dropna(subset=column)
    return coverage.share(np.abs(np.log(own[column] / own["training_flop"])) <= math.log(ratio))


def decades(own):
    """Return the median width of the 90 % intervals, in orders of magnitude."""
    return float(np.log10(own["training_flop_high"] / own["training_flop_low"]).median())


def with_own_inputs(own, confidence):
    """Return the statements that do not restate the count, about headlines of this confidence."""
    return own[(own["confidence"] == confidence) & ~own["inputs"].isin(RESTATING)]


def shares(own, column, levels=(50, 80, 90, 95)):
    """Return the percentage of statements within each interval, for the levels that these estimates have."""
    has = [level for level in levels if f"training_flop_{coverage.INTERVALS[level][0]}" in own]
    rows = {level: held(own, column, level) for level in has}
    words = " ".join(f"{level}: {row['held'] / row['number']:.0%}" for level, row in rows.items())
    return f"{words} ({said(rows[90])})"


def said(row):
    """Return a share in words."""
    if not row["number"]:
        return "none"
    return f"{row['held']} of {row['number']} = {row['held'] / row['number']:.0%} [{row['low']:.0%}-{row['high']:.0%}]"


def lines(statements, estimates):
    """Yield the coverage of the published intervals, by name."""
    own = with_estimates(statements, estimates)
    adjudicated, others = own.dropna(subset="adjudicated_flop"), own[own["inputs"] != "same_time"]
    yield (
        "headlines; median width of the 90 % interval, decades",
        f"{estimates['training_flop'].notna().sum()}; {decades(estimates):.2f}",
    )
    yield "statements as published", f"{shares(own, 'stated_flop')} at {decades(own):.2f} decades"
    yield "adjudicated", shares(own, "adjudicated_flop")
    yield "adjudicated, not same_time", shares(others, "adjudicated_flop")
    yield "narrowest, middle, widest third, as published", "; ".join(map(said, thirds(own)))
    yield "thirds, adjudicated", "; ".join(map(said, thirds(adjudicated, "adjudicated_flop")))
    yield "inputs of their own", shares(own[own["inputs"] == "own"], "stated_flop")
    yield "own and unknown inputs, adjudicated", shares(own[own["inputs"].isin(["own", "unknown"])], "adjudicated_flop")
    disputed = own[own["is_disputed"].fillna(False).astype(bool)]
    yield "disputed models", shares(disputed, "stated_flop")
    yield "disputed models, adjudicated", shares(disputed, "adjudicated_flop")
    yield (
        "interval score",
        f"{interval_score(own):.2f}; adjudicated {interval_score(adjudicated, 'adjudicated_flop'):.2f}",
    )
    yield (
        "within 2x, published; adjudicated",
        "; ".join(said(within(own, 2, column)) for column in ("stated_flop", "adjudicated_flop")),
    )
    for word in ("confident", "rough", "order_of_magnitude", "speculative"):
        new = with_own_inputs(own, word)
        count = (estimates["confidence"] == word).sum()
        yield f"{word}: models; within 3x; within 10x", f"{count}; {said(within(new, 3))}; {said(within(new, 10))}"
    for limit in ("1e23", "1e25"):
        error = own[f"probability_above_{limit}_fraction"] - (own["stated_flop"] > float(limit))
        yield f"Brier score, above {limit}", f"{(error**2).mean():.4f}"
    former = pd.read_csv(FORMER).query("training_flop > 0")
    yield (
        "statements about models of the former release",
        said(held(own[own["model_id"].isin(former["model_id"])], "stated_flop", 90)),
    )
    moved = (
        former[["model_id"]]
        .assign(former_flop=former["training_flop"])
        .merge(estimates[estimates["training_flop"] > 0], on="model_id")
    )
    yield "former headlines in the interval", said(held(moved, "former_flop", 90))
    counts = estimates[estimates["reported_flop"].notna() & (estimates["operation_count_flop"] > 0)].query(
        "training_flop > 0"
    )
    yield "authors' totals in the interval", said(held(counts, "reported_flop", 90))
    yield (
        "causes of disputes",
        ", ".join(f"{word} {number}" for word, number in estimates["dispute_cause"].value_counts().items()),
    )


def main(before=FORMER):
    """Print the table."""
    statements = coverage.statements(coverage.ledger(TABLES))
    old, new = (dict(lines(statements, pd.read_csv(path))) for path in (before, PUBLISHED / "estimates.csv"))
    for name, value in new.items():
        print(f"{name}\n    before  {old[name]}\n    now     {value}")
    others = statements[statements["inputs"] != "same_time"]
    print(f"log score of a statement about a count\n    now     {log_score(statements):.2f};"
          f" adjudicated, not same_time {log_score(others, 'adjudicated_flop'):.2f}")  # fmt: skip


if __name__ == "__main__":
    main(*sys.argv[1:])
