"""The calibration page: how often intervals hold what others state, and what identifies the widths."""

from collections.abc import Sequence

import altair as alt

from pipeline.site.report import Row, charts
from schemas.vocabulary import EVIDENCE_CLASSES, EvidenceClass

NUMBERS = {
    "confirmed": "Half of the error of a count that the authors' total confirms",
    "stated": "The same of a count of a stated network and stated data",
    "weak": "The same of any other count, and of a total of the authors",
    "whole_run": "What whole runs reach of the utilization that was predicted",
    "gpu_time_up": "Half of the error of GPU time to above",
    "gpu_time_down": "The same to below",
}
INPUTS = {  # of external estimates
    "all": "all",
    "not same_time": "all that do not share the ledger's time",
    "own": "of their own",
    "same_count": "the ledger's count",
    "same_time": "the ledger's time",
    "same_both": "the ledger's count and time",
    "unknown": "not known",
}
LEVELS = ("50", "80", "90", "95")


def page(calibration: Row | None, imputation_backtests: Sequence[Row], estimates: Sequence[Row]) -> Row:
    """What the page shows, from tables and the summary of `make fit-uncertainty`, None where this release has none."""
    return {
        "by_class": held_by_class(imputation_backtests, estimates),
        "fit": calibration,
        "ranks": ranks(calibration["ranks"]) if calibration else None,
        "words": NUMBERS,
        "inputs": INPUTS,
        "levels": LEVELS,
    }


def held_by_class(imputation_backtests: Sequence[Row], estimates: Sequence[Row]) -> list[Row]:
    """By class of evidence: external estimates of models with such a headline, and how many its 90 % interval holds."""
    word_of = {row["model_id"]: row["evidence_class"] for row in estimates}
    compared = [row for row in imputation_backtests if row["quantity"] == "training_flop"]
    in_class = {word: [row for row in compared if word_of[row["model_id"]] == word] for word in EvidenceClass}
    return [
        {
            "word": word,
            "meaning": EVIDENCE_CLASSES[word],
            "number": len(rows),
            "held": sum(row["is_in_interval"] for row in rows),
        }
        for word, rows in in_class.items()
        if rows
    ]


def ranks(bins: Sequence[Row]) -> str:
    """How many statements lie between points of the headline's distribution, and how many would if it were right."""
    marks = [{**row, "line": f"{row['low']:g} to {row['high']:g} %"} for row in bins]
    base = alt.Chart(charts.data(marks), width=charts.WIDTH - 200, height=alt.Step(24))
    y = alt.Y("line:N", sort=None, title="points of the headline's distribution")
    drawn = alt.layer(
        base.mark_bar(height=12, color=charts.BLUE, opacity=0.6).encode(x=alt.X("held:Q", title="statements"), y=y),
        base.mark_tick(color=charts.BLACK, thickness=2, height=20).encode(x=alt.X("expected:Q"), y=y),
    )
    words = "; ".join(f"{row['line']}: {row['held']}, {row['expected']:g} expected" for row in marks)
    return charts.drawn(drawn, f"Statements of others by their place in the headline's distribution. {words}.")
