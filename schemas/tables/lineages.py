"""One row a model and each model whose training is part of its own: itself and its base models."""

from schemas import columns
from schemas.contract import Contract


class Lineages(Contract, grain="model_id part_id"):
    model_id = columns.model_id()
    part_id = columns.part_id()
