"""Contract of `changes`: one row a published value that moved from one release to the next."""

from schemas import fields
from schemas.table import TableModel


class Changes(TableModel, grain=("model_id", "release", "column")):
    """One row a value of `estimates` that moved from one release to the next, or a model that was added or is gone."""

    model_id: fields.model_id
    release: fields.release
    column: fields.column
    old: fields.old | None
    new: fields.new | None
    reason: fields.change_reason | None
