"""Contract of `lineages`: one row a model and each model whose training is part of its own: itself and its base models."""

from schemas import columns
from schemas.contract import Contract


class Lineages(Contract):
    """One row a model and each model whose training is part of its own: itself and its base models."""

    model_id = columns.model_id()
    part_id = columns.part_id()

    class Config:
        unique = ["model_id", "part_id"]
