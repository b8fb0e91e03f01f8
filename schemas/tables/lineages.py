"""Contract of `lineages`: one row a model and each model whose training is part of its own: itself and its base models."""

from schemas import fields
from schemas.table import TableModel


class Lineages(TableModel, grain=("model_id", "part_id")):
    """One row a model and each model whose training is part of its own: itself and its base models."""

    model_id: fields.model_id
    part_id: fields.part_id
