"""Contract of `sentences`: one row a model: what is said of its number, in words."""

from schemas import columns
from schemas.contract import Contract


class Sentences(Contract):
    """One row a model: what is said of its number, in words."""

    model_id = columns.model_id()
    headline_sentence = columns.headline_sentence(null=columns.NO_HEADLINE)
    dispute_sentence = columns.dispute_sentence(null=columns.NO_DISPUTE)
    dispute_resolution = columns.dispute_resolution(null=columns.NO_DISPUTE)

    class Config:
        unique = ["model_id"]
