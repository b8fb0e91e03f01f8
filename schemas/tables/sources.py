"""One row a source of a record."""

from schemas import columns
from schemas.contract import Contract


class Sources(Contract, grain="record_kind record_id source"):
    record_kind = columns.record_kind()
    record_id = columns.record_id()
    source = columns.source()
    source_kind = columns.source_kind(null="The record is not of a model, or its user states it.")
    title = columns.title()
    url = columns.url(null=columns.NO_URL)
    source_year = columns.source_year(null=columns.NOT_STATED)
