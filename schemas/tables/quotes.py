"""One row a sentence that a record quotes, with its place in the source where that was read."""

from schemas import columns
from schemas.contract import Contract


class Quotes(Contract, grain="record_kind record_id source text found_at"):
    record_kind = columns.record_kind()
    record_id = columns.record_id()
    source = columns.source()
    locator = columns.locator(null=columns.NO_LOCATOR)
    text = columns.text()
    read_in = columns.read_in(null=columns.NOT_JUDGED)
    found_at = columns.found_at()
