"""Contract of `dispute_causes`: one row a disputed model and cause that the data support."""

from schemas import columns
from schemas.contract import Contract


class DisputeCauses(Contract):
    """One row a disputed model and cause that the data support."""

    model_id = columns.model_id()
    rank = columns.rank()
    cause = columns.cause()
    cause_evidence = columns.cause_evidence()
    resolution = columns.resolution()

    class Config:
        unique = ["model_id", "rank"]
