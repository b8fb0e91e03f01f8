"""One row a price of a chip, bought or rented."""

from schemas import columns
from schemas.contract import Contract


class HardwarePrices(Contract, grain="record_id price_index"):
    record_id = columns.record_id()
    price_index = columns.price_index()
    hardware_id = columns.hardware_id()
    price_date = columns.price_date()
    price_kind = columns.price_kind()
    price_terms = columns.price_terms()
    price_usd = columns.price_usd()
    vendor = columns.vendor(null=columns.NOT_STATED)
    evidence = columns.evidence()
    title = columns.title()
    url = columns.url(null=columns.NO_URL)
    via = columns.via(null=columns.SEEN_OTHERWISE)
    text = columns.text(null=columns.SEEN_OTHERWISE)
    note = columns.note(null=columns.NONE_KNOWN)
