"""Find stages of training that quotes mention but that are not among the record's phases."""

import re

from pipeline.records.meanings import WORDS
from schemas.records import Model
from schemas.vocabulary import Accounting

_STAGE, _LENGTHS = (re.compile(WORDS[name], re.IGNORECASE) for name in ("stage", "longer"))
_FACTS = {"examples", "sequence_length", "training", "steps"}


def unentered_stage(model: Model) -> str | None:
    """Return the key of a quote that mentions a second stage or length although the model has one phase, or None.

    Also return None if the record lists what is unknown about the stages, or if the model is fine-tuned, because its
    quotes then describe the base model's stages. Skip quotes whose stages add up to the tokens, and quotes of a length
    whose note describes the other lengths.
    """
    is_looked_for = any(missing.fact in _FACTS and missing.looked_in for missing in model.missing)
    if len(model.training) != 1 or model.base_model or is_looked_for:
        return None
    [phase] = model.training
    if phase.accounting not in (None, Accounting.PRETRAINING):
        return None
    tokens, length = phase.examples, phase.sequence_length
    explained_keys = {*tokens.quote} if tokens and "+" in (tokens.derived or "") else set()
    explained_keys |= {*length.quote} if length and length.note else set()
    other_keys = (key for key, quote in model.quotes.items() if quote and key not in explained_keys)
    return next(
        (key for key in other_keys if _STAGE.search(model.quotes[key].text) or _LENGTHS.search(model.quotes[key].text)),
        None,
    )
