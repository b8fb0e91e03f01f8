"""The coverage page: models, the evidence of their facts, and missing facts."""

import re
from collections import Counter
from collections.abc import Callable, Sequence

from pipeline.site.report import Row

EVIDENCE = ("quoted", "table", "unseen", "assumed")
SEEN = {"quoted", "table"}
FIRST, LAST = 1940, 2100  # beyond every model
PERIODS = ((FIRST, 1999), (2000, 2009), (2010, 2013), (2014, 2016), (2017, 2018), (2019, 2020), (2021, 2021), (2022, 2022),
           (2023, 2023), (2024, 2024), (2025, LAST))  # fmt: skip
MOST_WANTED = 15
MOST_NAMED = 12  # models named beside a missing fact; the table missing_facts has all


def page(
    models: Sequence[Row], runs: Sequence[Row], allocations: Sequence[Row], estimates: Sequence[Row],
    facts: Sequence[Row], missing_facts: Sequence[Row], external_estimates: Sequence[Row], hardware: Sequence[Row], measurements: Sequence[Row],
) -> Row:  # fmt: skip
    """What the page shows, from rows of the tables that its arguments are named after."""
    years = {row["model_id"]: row["published_year"] for row in models}
    domains = sorted({row["domain"] for row in models}, key=lambda domain: (-_number(models, domain=domain), domain))
    used = [(low, high) for low, high in PERIODS if any(low <= year <= high for year in years.values())]
    return {
        "counts": counts(models, runs, allocations, estimates, external_estimates, hardware, measurements),
        "domains": domains,
        "periods": [
            {
                "name": _period(low, high),
                "cells": [
                    _cell([row for row in estimates if row["domain"] == domain and low <= years[row["model_id"]] <= high])
                    for domain in domains
                ],
                "all": _cell([row for row in estimates if low <= years[row["model_id"]] <= high]),
            }
            for low, high in used
        ],
        "evidence": [
            {"kind": kind, **_evidence([row for row in facts if row["record_kind"] == kind])}
            for kind in sorted({row["record_kind"] for row in facts})
        ] + [{"kind": "all", **_evidence(facts)}],
        "by_domain": [
            {"kind": domain, **_evidence(_of_domain(facts, models, domain))} for domain in domains
        ],
        "wanted": _wanted(missing_facts),
        "most_named": MOST_NAMED,
        "unseen": [row for row in sorted(_share_unseen(facts, models), key=lambda row: (-row["unseen"], row["model_id"])) if row["unseen"]][:MOST_WANTED],
    }  # fmt: skip


def _period(low: int, high: int) -> str:
    if low == FIRST:
        return f"to {high}"
    if high == LAST:
        return f"{low} on"
    return f"{low}" if low == high else f"{low}–{high}"


def counts(
    models: Sequence[Row], runs: Sequence[Row], allocations: Sequence[Row], estimates: Sequence[Row],
    external_estimates: Sequence[Row], hardware: Sequence[Row], measurements: Sequence[Row],
) -> dict[str, int]:  # fmt: skip
    """Numbers of models with certain properties, of chips and of measurements."""
    both = [row for row in estimates if row["method_ratio"] is not None]
    parts = Counter(row["model_id"] for row in runs)
    places = Counter(row["model_id"] for row in allocations)
    return {
        "models": len(models),
        "with both methods": len(both),
        "with both methods and all facts of training quoted or from a table": _many(both, lambda row: row["training_evidence"] in SEEN),
        "the same, and every number of the network quoted or from a table": _many(
            both, lambda row: {row["training_evidence"], row["network_evidence"]} <= SEEN
        ),
        "with an architecture, counted layer by layer": len({row["model_id"] for row in runs if row["architecture_id"]}),
        "with training compute reported by the authors": _many(models, lambda row: row["reported_flop"] is not None),
        "with several phases or allocations": _many(models, lambda row: max(parts[row["model_id"]], places[row["model_id"]]) > 1),
        "fine-tuned from a base model in the ledger": _many(models, lambda row: row["base_model"] is not None),
        "whose methods are disputed": _many(both, lambda row: row["is_disputed"]),
        "with an external estimate": len({row["model_id"] for row in external_estimates}),
        "chips": len(hardware),
        "measured throughputs": len(measurements),
    }  # fmt: skip


def _many(rows: Sequence[Row], is_meant: Callable[[Row], bool]) -> int:
    return sum(1 for row in rows if is_meant(row))


def _number(rows: Sequence[Row], **wanted: str) -> int:
    return _many(rows, lambda row: all(row[key] == value for key, value in wanted.items()))


def _cell(estimates: Sequence[Row]) -> dict[str, int]:
    return {
        "models": len(estimates),
        "both": _many(estimates, lambda row: row["method_ratio"] is not None),
        "seen": _many(estimates, lambda row: row["training_evidence"] in SEEN),
    }


def _evidence(facts: Sequence[Row]) -> dict[str, int]:
    found = Counter(row["evidence"] for row in facts)
    return {"facts": len(facts), **{word: found[word] for word in EVIDENCE}}


def _of_domain(facts: Sequence[Row], models: Sequence[Row], domain: str) -> list[Row]:
    own = {row["model_id"] for row in models if row["domain"] == domain}
    return [row for row in facts if row["record_kind"] == "models" and row["record_id"] in own]


def _wanted(missing_facts: Sequence[Row]) -> list[tuple[str, int, list[str]]]:
    named: dict[str, list[str]] = {}
    for row in missing_facts:
        name = re.sub(r"\[\d+\]", "", row["path"]).rsplit(".", 1)[-1]
        named.setdefault(name, []).append(row["model_id"])
    ranked = sorted(named.items(), key=lambda each: (-len(each[1]), each[0]))
    return [(name, len(ids), sorted(set(ids))) for name, ids in ranked[:MOST_WANTED]]


def _share_unseen(facts: Sequence[Row], models: Sequence[Row]) -> list[Row]:
    own = [row for row in facts if row["record_kind"] == "models"]
    unseen = Counter(row["record_id"] for row in own if row["evidence"] == "unseen")
    whole = Counter(row["record_id"] for row in own)
    return [
        {"model_id": row["model_id"], "unseen": unseen[row["model_id"]], "facts": whole[row["model_id"]]}
        for row in models
    ]
