"""One row a figure of someone else for a model's training compute; no estimate uses it."""

from schemas import columns
from schemas.contract import Contract


class ExternalEstimates(Contract, grain="model_id external_estimate_id"):
    model_id = columns.model_id()
    external_estimate_id = columns.external_estimate_id()
    stated_flop = columns.stated_flop()
    stated_bound = columns.stated_bound(null=columns.NO_BOUND)
    stated_flop_low = columns.stated_flop_low(null=columns.NO_STATED_INTERVAL)
    stated_flop_high = columns.stated_flop_high(null=columns.NO_STATED_INTERVAL)
    stated_confidence = columns.stated_confidence(null=columns.NO_STATED_INTERVAL)
    stated_method = columns.stated_method(null=columns.RECORD_SAYS_NOTHING)
    inputs = columns.inputs()
    labelled_before = columns.labelled_before(null="nothing shows the order")
    outcome = columns.outcome()
    evidence = columns.evidence()
    source = columns.source(null=columns.STATED_BY_USER)
    locator = columns.locator(null=columns.NO_LOCATOR)
    text = columns.text(null=columns.SEEN_OTHERWISE)
    via = columns.via(null=columns.SEEN_OTHERWISE)
    note = columns.note(null=columns.NONE_KNOWN)
