"""Contract of `changes`: one row a published value that moved from one release to the next."""

from schemas import columns
from schemas.contract import Contract


class Changes(Contract):
    """One row a value of `estimates` that moved from one release to the next, or a model that was added or is gone."""

    model_id = columns.model_id()
    release = columns.release()
    column = columns.column()
    old = columns.old(null="Unknown, or the model was added.")
    new = columns.new(null="Unknown, or the model is gone.")
    reason = columns.change_reason(null=columns.NO_REASON)

    class Config:
        unique = ["model_id", "release", "column"]
