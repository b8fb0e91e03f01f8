"""Contract of `identifiers`: one row an id that is or was in use; ids are permanent."""

from schemas import fields
from schemas.table import TableModel


class Identifiers(TableModel, grain=("record_kind", "record_id")):
    """One row an id that is or was in use; ids are permanent."""

    record_kind: fields.record_kind
    record_id: fields.record_id
    is_retired: fields.is_retired
    replaced_by: fields.replaced_by | None
    former_ids: fields.former_ids | None
