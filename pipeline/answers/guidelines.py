"""Express a model's training compute in the terms of the European Commission's guidelines on general-purpose AI models.

Both approaches of the guidelines are covered. Paragraph numbers refer to the text of 18 July 2025, the only one that we
have read.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from pipeline.publishing.account import has_unread
from pipeline.publishing.screen_evidence import INPUTS
from schemas.account import Account, Part
from schemas.vocabulary import MODIFIER_SHARE_FRACTION, ThresholdTotal

Row = Mapping[str, Any]

TEXTS = yaml.safe_load(Path(__file__).with_suffix(".yml").read_text(encoding="utf-8"))
GUIDELINES, RULES = TEXTS["guidelines"], TEXTS["rules"]
WITHIN = 1.3  # the guidelines ask for an estimate that is accurate within 30 %
DATA = [key for key, name in INPUTS.items() if name == "data"]  # the facts that give a phase's passes
PARAGRAPHS = {1e23: "17", 1e25: "5"}  # paragraphs of the guidelines, by the threshold that they set
MODIFICATION = "63"  # the paragraph about a third of the compute
TOTALS = """
    training_flop training_flop_low training_flop_high training_flop_at_least headline_method own_training_flop
    cumulative_flop reported_flop
""".split()
OF_HARDWARE = """
    phase hardware=hardware_id hardware_name=hardware hardware_basis chip_seconds chip_seconds_basis
    peak=peak_flop_per_second precision precision_basis utilization=utilization_fraction utilization_basis
    flop=gpu_time_informed_flop
"""
OF_PHASE = """
    phase passes=examples_seen pass_unit=example_unit passes_basis=examples_seen_basis
    forward_flop_per_pass=forward_flop_per_example backward_flop_per_pass=backward_flop_per_example
    operations_basis=operation_count_basis flop=operation_count_flop
"""
OF_CONTRIBUTION = "accounting model=model_id model_name=name flop note"
READ_FROM = {"hardware": ["chip"], "chip_seconds": ["chips", "duration", "chip_time"], "precision": ["precision"]}
NOT_COUNTED = ("distillation_teacher",)  # contributions that the guidelines exclude (122)


def is_within(row: Row) -> bool:
    """Return whether the 90 % interval of an estimate is within 30 % of it."""
    low, middle, high = (row[f"training_flop{end}"] for end in ("_low", "", "_high"))
    return bool(max(high / middle, middle / low) <= WITHIN)


def modification(row: Row) -> dict[str, float | None]:
    """Return a third of the model's FLOP with its 90 % interval. Whoever modifies the model with more is a provider."""
    thirds = {end: row[f"training_flop{end}"] for end in ("", "_low", "_high")}
    return {f"modification{end}_flop": flop and MODIFIER_SHARE_FRACTION * flop for end, flop in thirds.items()}


def of_base(row: Row) -> dict[str, Any]:
    """Return a third of the base model's FLOP, and whether the model's own training exceeds it; None if unknown."""
    own_flop, ratio = row["own_training_flop"], row["own_to_base_ratio"]
    is_known = None not in (own_flop, ratio)
    return {
        "third_of_base_flop": MODIFIER_SHARE_FRACTION * own_flop / ratio if is_known else None,
        "is_above_third_of_base": ratio > MODIFIER_SHARE_FRACTION if is_known else None,
    }


def total_flop(row: Row) -> float | None:
    """Return the total to which the threshold probabilities refer, in FLOP; None if only the base model's is known."""
    flop: float | None = row[
        "cumulative_flop" if row["threshold_total"] == ThresholdTotal.CUMULATIVE_FLOP else "training_flop"
    ]
    return flop


def hardware_parts(account: Account) -> list[dict[str, Any]]:
    """Return C = N x L x H x U with the basis of each factor, for allocations with known factors, base models too."""
    return [
        _columns(OF_HARDWARE, part, chips)
        | {f"{name}_not_read": has_unread(account, part, chips["phase"], *keys) for name, keys in READ_FROM.items()}
        for part in account["parts"]
        for chips in part["allocations"]
        if chips["gpu_time_flop"]
    ]


def _columns(names: str, part: Part, row: Row) -> dict[str, Any]:
    """Return the id and the name of a part, and columns of one of its rows; `names` are written as key=column."""
    pairs = (name.partition("=") for name in names.split())
    return {"part": part["model_id"], "part_name": part["name"]} | {key: row[name or key] for key, _, name in pairs}


def statement(account: Account, version: str) -> dict[str, Any]:
    """Return the estimate of one model in the guidelines' terms; `version` is the version of the data.

    Null means unknown: an approach with an unknown input has no value.
    """
    row: Row = account
    return {
        "guidelines": GUIDELINES,
        "model": {name: row[name] for name in ("model_id", "name", "organization", "published", "scope", "base_model")}
        | {"ledger_version": version},
        "training_compute": {
            **{name: row[name] for name in TOTALS},
            "interval_fraction": 0.9,
            "is_within_30_percent": None if row["training_flop"] is None else is_within(row),
        },
        "hardware_based": {
            "paragraphs": "126",
            "formula": "C = N x L x H x U",
            "flop": row["gpu_time_informed_flop"],
            "parts": hardware_parts(account),
        },
        "architecture_based": {
            "paragraphs": "131, 132",
            "formula": "C = passes x operations of a full pass",
            "flop": row["operation_count_flop"],
            "parts": [
                _columns(OF_PHASE, part, phase) | {"passes_not_read": has_unread(account, part, phase["phase"], *DATA)}
                for part in account["parts"]
                for phase in part["phases"]
                if phase["operation_count_flop"] is not None
            ],
        },
        "thresholds": [
            {**chance, "paragraph": PARAGRAPHS.get(chance["flop"]), "of": row["threshold_total"]}
            for chance in account["thresholds"]
        ],
        "modification": {
            "paragraph": MODIFICATION,
            "share_fraction": MODIFIER_SHARE_FRACTION,
            **modification(row),
            "own_training_flop": row["own_training_flop"],
            "own_to_base_ratio": row["own_to_base_ratio"],
            **of_base(row),
        },
        "contributions": [
            _columns(OF_CONTRIBUTION, part, contribution)
            | {"is_included_by_guidelines": contribution["accounting"] not in NOT_COUNTED}
            for part in account["parts"]
            for contribution in part["contributions"]
        ],
        "rules": [dict(zip(("guidelines", "paragraph", "ledger"), rule, strict=True)) for rule in RULES],
    }
