"""The coverage page: models, and the evidence for their facts."""

from collections.abc import Sequence

from pipeline.site.report import Row

COUNTS = {
    "models": "models",
    "both_methods": "with both methods",
    "both_methods_seen": "with both methods and all facts of training quoted or from a table",
    "both_methods_all_seen": "the same, and every number of the network quoted or from a table",
    "counted": "with an architecture, counted layer by layer",
    "reported": "with training compute reported by the authors",
    "several_parts": "with several phases or allocations",
    "tuned": "fine-tuned from a base model in the ledger",
    "disputed": "whose methods are disputed",
    "externally_estimated": "with an external estimate",
    "hardware": "chips",
    "measurements": "measured throughputs",
}


def page(release_counts: Sequence[Row], coverage_cells: Sequence[Row], fact_evidence: Sequence[Row]) -> Row:
    """Return the page's values from the views that its arguments name."""
    (counts,) = release_counts
    cells = {(row["period"], row["domain"]): row for row in coverage_cells}
    domains = [domain for period, domain in cells if period is None]
    evidence = {kind: [row for row in fact_evidence if row["grouped_by"] == kind] for kind in ("kind", "all", "domain")}
    by_domain = sorted(evidence["domain"], key=lambda row: domains.index(row["name"]))
    return {
        "counts": {words: counts[name] for name, words in COUNTS.items()},
        "domains": domains,
        "periods": dict.fromkeys(period for period, _ in cells if period),
        "cells": cells,
        "evidence": [*evidence["kind"], *evidence["all"]],
        "by_domain": by_domain,
    }
