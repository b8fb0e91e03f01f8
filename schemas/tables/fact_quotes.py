"""One row a fact of a record and a sentence that it rests on, which `quotes` has once."""

from schemas import columns
from schemas.contract import Contract


class FactQuotes(Contract, grain="record_kind record_id path quote_index"):
    record_kind = columns.record_kind()
    record_id = columns.record_id()
    path = columns.path()
    quote_index = columns.quote_index()
    source = columns.source()
    locator = columns.locator(null=columns.NO_LOCATOR)
    text = columns.text()
    read_in = columns.read_in(null=columns.NOT_JUDGED)
    found_at = columns.found_at()
