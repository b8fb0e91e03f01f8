"""The page of defaults with their sources, limits in numbers, and Epoch's columns; methods.html explains the rules."""

from collections.abc import Sequence

from pipeline.publishing.crosswalk import CROSSWALK
from pipeline.site.report import Row, whole, words

FEWEST_PAIRS = 3  # a domain gets a row if at least this many of its models have both methods


def page(
    defaults_with_sources: Sequence[Row], facts: Sequence[Row], sources: Sequence[Row], year_peaks: Sequence[Row],
    fact_evidence: Sequence[Row], imputation_numbers: Sequence[Row], interval_widths: Sequence[Row], method_agreement: Sequence[Row],
) -> Row:  # fmt: skip
    """Return the page's values from the tables and views that its arguments name."""
    (numbers,), (widths,) = imputation_numbers, interval_widths
    return {
        "defaults": default_groups(defaults_with_sources),
        "peaks": year_peaks,
        "peak_kinds": sorted({row["applies_to"] for row in year_peaks}),
        "peak_sources": [row for row in sources if (row["record_kind"], row["record_id"]) == ("defaults", "peak-by-year")],
        "fits": [row for row in facts if row["record_kind"] == "defaults" and row["path"].endswith(".fit")],
        "agreement": whole(method_agreement),
        "by_domain": [row for row in method_agreement if row["domain"] and row["models"] >= FEWEST_PAIRS],
        "compared": numbers,
        "widths": widths,
        "facts": fact_evidence[0],
        "crosswalk": CROSSWALK,
    }  # fmt: skip


def default_groups(defaults: Sequence[Row]) -> list[Row]:
    """Return the defaults, grouped by quantity in the order of words.DEFAULTS."""
    return [
        {"title": title, "is_spread": quantity.endswith("spread"), "rows": rows}
        for quantity, title in words.DEFAULTS.items()
        if (rows := [row for row in defaults if row["quantity"] == quantity])
    ]
