"""One row a fact of a record, with the words of its first quote; `fact_quotes` has all."""

from schemas import columns
from schemas.contract import Contract


class Facts(Contract, grain="record_kind record_id path"):
    record_kind = columns.record_kind()
    record_id = columns.record_id()
    path = columns.path()
    written = columns.written()
    amount = columns.amount(null="For words and dates.")
    unit = columns.unit(null="For plain numbers, words and dates.")
    bound = columns.bound(null="The source states a value, a range, a word or a date.")
    evidence = columns.evidence()
    source = columns.source(null=columns.STATED_BY_USER)
    title = columns.title(null=columns.STATED_BY_USER)
    url = columns.url(null=columns.NO_URL)
    text = columns.text(null=columns.SEEN_OTHERWISE)
    found_at = columns.found_at(null=columns.SEEN_OTHERWISE)
    via = columns.via(null=columns.SEEN_OTHERWISE)
    derived = columns.derived(null="The text has the value as it is, or no text was read.")
    assumptions = columns.assumptions(null="The fact rests on none.")
    assumption_reasons = columns.assumption_reasons(null="The fact rests on none.")
    note = columns.note(null=columns.NONE_KNOWN)
