"""Contract of `headline_components`: one row a model and component of its headline's distribution."""

from schemas import columns
from schemas.contract import Contract


class HeadlineComponents(Contract):
    """One row a model and log-normal component of its own headline; the weights of a model sum to 1."""

    model_id = columns.model_id()
    component = columns.component()
    weight_fraction = columns.weight_fraction()
    median_flop = columns.median_flop()
    log_sd = columns.log_sd()

    class Config:
        unique = ["model_id", "component"]
