"""The methods page: equations, defaults with their sources, rules of the headline, and limits in numbers of the tables."""

import math
from collections.abc import Iterable, Sequence
from statistics import median

from pipeline.publishing.citation import citation
from pipeline.publishing.crosswalk import CROSSWALK
from pipeline.site.numbers import times
from pipeline.site.report import Row, imputation, words
from pipeline.site.report.compute import agreement
from pipeline.site.report.index import METHODS
from pipeline.site.report.utilization_facts import backtests, share
from schemas.vocabulary import DISPUTE_CAUSES, EVIDENCE_CLASSES, Independence

FEWEST_PAIRS = 3  # models with both methods from which on a domain has a row of its own
INDEPENDENCE = {
    Independence.INDEPENDENT: "no uncertain input in common",
    Independence.SHARED_INPUT: "one uncertain input in common (time derived from steps, epochs derived from time): the second widens nothing",
    Independence.CIRCULAR: "one was derived from the other: the second widens nothing",
}


def page(
    version: str, defaults: Sequence[Row], estimates: Sequence[Row], facts: Sequence[Row], sources: Sequence[Row],
    imputation_backtests: Sequence[Row], utilization_backtests: Sequence[Row], year_peaks: Sequence[Row],
    near_ratio: float, dispute_ratio: float,
) -> Row:  # fmt: skip
    """What the page shows, from the release's version, its thresholds and rows of the tables that its arguments are named after."""
    return {
        "cited": citation(version),
        "defaults": default_groups(defaults, sources),
        "peaks": peaks_by_year(year_peaks),
        "peak_kinds": sorted({row["applies_to"] for row in year_peaks}),
        "peak_sources": [
            row for row in sources if (row["record_kind"], row["record_id"]) == ("defaults", "peak-by-year")
        ],
        "fits": [row for row in facts if row["record_kind"] == "defaults" and row["path"].endswith(".fit")],
        "causes": DISPUTE_CAUSES,
        "evidence": EVIDENCE_CLASSES,
        "headlines": METHODS,
        "independence": INDEPENDENCE,
        "numbers": agreement(estimates),
        "by_domain": agreement_by_domain(estimates),
        "tested": backtests(utilization_backtests, near_ratio),
        "compared": imputation.numbers(imputation_backtests, [], near_ratio),
        "widths": widths(estimates, near_ratio),
        "near": times(near_ratio),
        "apart": times(dispute_ratio),
        "unseen": share(facts, lambda row: row["evidence"] == "unseen"),
        "crosswalk": CROSSWALK,
    }


def default_groups(defaults: Sequence[Row], sources: Sequence[Row]) -> list[Row]:
    """The defaults by quantity, each with its source and its geometric standard deviation."""
    titles = {(row["record_id"], row["source"]): row for row in sources if row["record_kind"] == "defaults"}
    names = [*words.DEFAULTS, *sorted({row["quantity"] for row in defaults} - set(words.DEFAULTS))]
    return [
        {
            "title": words.DEFAULTS.get(name, name.replace("_", " ").capitalize()),
            "rows": [
                {
                    **row,
                    "is_spread": name.endswith("spread"),
                    "spread": _factor(row["log_sd"]),
                    "origin": titles[row["record_id"], row["source"]],
                }
                for row in defaults
                if row["quantity"] == name
            ],
        }
        for name in names
        if any(row["quantity"] == name for row in defaults)
    ]


def peaks_by_year(year_peaks: Sequence[Row]) -> list[Row]:
    """One row a year: the default peak of each kind of precision."""
    years = sorted({row["published_year"] for row in year_peaks})
    return [
        {
            "year": year,
            "kinds": {
                row["applies_to"]: {**row, "spread": _factor(row["log_sd"])}
                for row in year_peaks
                if row["published_year"] == year
            },
        }
        for year in years
    ]


def _factor(log_sd: float | None) -> float | None:
    return None if log_sd is None else round(math.exp(log_sd), 6)


def agreement_by_domain(estimates: Sequence[Row]) -> list[Row]:
    """Agreement of the two methods in each domain with enough models, in descending number of models."""
    domains = sorted({row["domain"] for row in estimates})
    found = [{"domain": name, **agreement([row for row in estimates if row["domain"] == name])} for name in domains]
    enough = [row for row in found if row["both"] >= FEWEST_PAIRS]
    return sorted(enough, key=lambda row: (-row["both"], row["domain"]))


def widths(estimates: Iterable[Row], near_ratio: float) -> Row | None:
    """Ratios high / low of the intervals: their median and how many have both ends near the headline; None where there are none."""
    found = [row["training_flop_high"] / row["training_flop_low"] for row in estimates if row["training_flop_low"]]
    return (
        {"median": median(found), "narrow": sum(each <= near_ratio**2 for each in found), "all": len(found)}
        if found
        else None
    )
