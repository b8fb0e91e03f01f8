"""Contract of `input_priorities`: one row a model that is not fine-tuned: the input that would narrow its interval most."""

from schemas import columns
from schemas.contract import Contract


class InputPriorities(Contract):
    """One row a model that is not fine-tuned: the input that would narrow its interval most."""

    rank = columns.rank()
    model_id = columns.model_id()
    most_informative_input = columns.most_informative_input()
    interval_ratio = columns.interval_ratio()
    narrowing_ratio = columns.narrowing_ratio()

    class Config:
        unique = ["rank"]
