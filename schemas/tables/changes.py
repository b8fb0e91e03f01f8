"""One row a value of `estimates` that moved from one release to the next, or a model that was added or is gone."""

from schemas import columns
from schemas.contract import Contract


class Changes(Contract, grain="model_id release column"):
    model_id = columns.model_id()
    release = columns.release()
    column = columns.column()
    old = columns.old(null="Unknown, or the model was added.")
    new = columns.new(null="Unknown, or the model is gone.")
    reason = columns.change_reason(null=columns.NO_REASON)
