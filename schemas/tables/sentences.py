"""Contract of `sentences`: one row a model: what is said of its number, in words."""

from schemas import fields
from schemas.table import TableModel


class Sentences(TableModel, grain=("model_id",)):
    """One row a model: what is said of its number, in words."""

    model_id: fields.model_id
    headline_sentence: fields.headline_sentence | None
    dispute_sentence: fields.dispute_sentence | None
    dispute_resolution: fields.dispute_resolution | None
