"""One row a default or standard deviation and the case that it applies to."""

from schemas import columns
from schemas.contract import Contract


class Defaults(Contract, grain="quantity applies_to"):
    quantity = columns.quantity()
    applies_to = columns.applies_to()
    default_value = columns.default_value()
    log_sd = columns.log_sd(null="The default has no standard deviation of its own.")
    default_basis = columns.default_basis()
    record_id = columns.record_id()
    source = columns.source()
    evidence = columns.evidence()
    note = columns.note(null=columns.NONE_KNOWN)
