"""Contract of `facts`: one row a fact of a record."""

from schemas import fields
from schemas.table import TableModel


class Facts(TableModel, grain=("record_kind", "record_id", "path")):
    """One row a fact of a record, with the words of its first quote; `fact_quotes` has all."""

    record_kind: fields.record_kind
    record_id: fields.record_id
    path: fields.path
    written: fields.written
    amount: fields.amount | None
    unit: fields.unit | None
    bound: fields.bound | None
    evidence: fields.evidence
    source: fields.source | None
    title: fields.title | None
    url: fields.url | None
    text: fields.text | None
    found_at: fields.found_at | None
    via: fields.via | None
    derived: fields.derived | None
    assumptions: fields.assumptions | None
    note: fields.note | None
