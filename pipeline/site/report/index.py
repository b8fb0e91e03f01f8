"""The ledger in numbers of its tables, and the list of reports."""

from collections import Counter
from collections.abc import Sequence

from pipeline.site.numbers import times
from pipeline.site.report import PAGES, Row, imputation
from pipeline.site.report.compute import agreement
from pipeline.site.report.utilization_facts import backtests

METHODS = {
    "reported": "the authors' own figure",
    "operation_count": "the operation count",
    "gpu_time": "GPU time",
    "sum_of_parts": "the sum of a fine-tuned model's own part and its base models, each by its best method",
}


def page(
    adjudications: Sequence[Row], checks: Sequence[Row], errata: Sequence[Row], estimates: Sequence[Row], facts: Sequence[Row], hardware: Sequence[Row],
    imputation_backtests: Sequence[Row], measurements: Sequence[Row], models: Sequence[Row], external_estimates: Sequence[Row], utilization_backtests: Sequence[Row],
    near_ratio: float, dispute_ratio: float,
) -> Row:  # fmt: skip
    """What the page shows, from the release's thresholds and rows of the tables that its arguments are named after."""
    return {
        "numbers": numbers(checks, errata, estimates, facts, hardware, measurements, models, external_estimates),
        "judged": adjudicated(adjudications),
        "hidden": imputation.numbers(imputation_backtests, [], near_ratio),
        "tested": next((row for row in backtests(utilization_backtests, near_ratio) if row["family"] == "all"), None),
        "methods": headlines(estimates),
        "pages": PAGES,
        "near": times(near_ratio),
        "apart": times(dispute_ratio),
    }


def numbers(
    checks: Sequence[Row], errata: Sequence[Row], estimates: Sequence[Row], facts: Sequence[Row], hardware: Sequence[Row],
    measurements: Sequence[Row], models: Sequence[Row], external_estimates: Sequence[Row],
) -> Row:  # fmt: skip
    """The numbers of the page's prose."""
    seen = Counter(row["evidence"] for row in facts)
    years = [row["published_year"] for row in models]
    return {
        "models": len(models),
        "first": min(years, default=None),
        "last": max(years, default=None),
        "known": sum(row["training_flop"] is not None for row in estimates),
        "hardware": len(hardware),
        "measurements": len(measurements),
        "measurement_sources": len({row["measurement_id"] for row in measurements}),
        "facts": len(facts),
        **{word: seen[word] for word in ("quoted", "table", "unseen")},
        "errata": len(errata),
        "stated": len({row["model_id"] for row in external_estimates}),
        "checks": len(checks),
        "near": sum(row["is_within_factor_two"] for row in checks),
        **agreement(estimates),
    }


def adjudicated(adjudications: Sequence[Row]) -> Row:
    """How many values of other tables were judged by their sources, and at how many nothing was found wrong."""
    return {"number": len(adjudications), "standing": sum(row["reason"] is None for row in adjudications)}


def headlines(estimates: Sequence[Row]) -> list[tuple[str, int]]:
    """Methods of the headlines in words, the most common first."""
    counted = Counter(row["headline_method"] for row in estimates if row["headline_method"])
    return [(METHODS[name], number) for name, number in sorted(counted.items(), key=lambda each: (-each[1], each[0]))]
