"""Contract of `facts`: one row a fact of a record."""

from schemas import fields
from schemas.table import TableModel


class Facts(TableModel, grain=("record_kind", "record_id", "path")):
    """One row a fact of a record."""

    record_kind: fields.record_kind
    record_id: fields.record_id
    path: fields.path
    written: fields.written
    amount: fields.amount | None
    unit: fields.unit | None
    evidence: fields.evidence
    source: fields.source
    text: fields.text | None
    read: fields.read | None
    via: fields.via | None
    derived: fields.derived | None
    note: fields.note | None
