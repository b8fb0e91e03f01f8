"""Stages of a training that its quotes name and its one phase does not have."""

import re

from schemas.records import Model

# A newcomer entered 25 trillion tokens at 8,192 where the paper has two of them at 32,768.
_STAGE = re.compile(
    r"\b(?:second|third|final|last)\s+(?:training\s+|pre-?training\s+)?(?:stage|phase)\b|\b(?:stage|phase)\s*-?\s*(?:2|3|II|two)\b"
    r"|\bmid-?training\b|\blong[- ]context\s+(?:stage|phase|training|pre-?training|extension)\b|\bcontext\s+extension\b",
    re.IGNORECASE,
)
_LENGTHS = re.compile(
    r"\b(?:context|sequence|window)(?:\s+(?:length|window|size))?s?\s+(?:is|was|are|were)?\s*(?:then\s+|further\s+|gradually\s+|progressively\s+)?"
    r"(?:extended|increased|expanded|raised)\b",
    re.IGNORECASE,
)
_FACTS = {"examples", "sequence_length", "training", "steps"}


def unentered(model: Model) -> str | None:
    """The key of a quote that names a second stage or length, of a model with one phase; None where the record says what is not known of it.

    Fine-tunes are left out: their quotes tell of the base model's stages.
    """
    told = any(missing.fact in _FACTS and missing.looked_in for missing in model.missing)
    if len(model.training) != 1 or model.base_model is not None or told:
        return None
    named = (
        key
        for key, quote in model.quotes.items()
        if quote and (_STAGE.search(quote.text) or _LENGTHS.search(quote.text))
    )
    return next(named, None)
