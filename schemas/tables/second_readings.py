"""One row a fact of a drawn model as somebody read it who saw neither its record nor its estimate."""

from schemas import columns
from schemas.contract import Contract


class SecondReadings(Contract, grain="reader model_id path"):
    seed = columns.seed()
    reader = columns.reader()
    model_id = columns.model_id()
    path = columns.read_path()
    written = columns.written(null=columns.NOT_READ)
    amount = columns.amount(null=columns.NOT_READ_AS_NUMBER)
    bound = columns.bound(null="It is not read as one end alone.")
    unit = columns.unit(null=columns.NOT_READ_AS_NUMBER)
    words = columns.words(null=columns.NOT_READ)
    found_at = columns.found_at(null=columns.NOT_READ)
    locator = columns.locator(null="Not said.")
    derived = columns.derived(null="The words state it.")
    doubt = columns.doubt(null=columns.NONE_KNOWN)
    note = columns.note(null=columns.NONE_KNOWN)
    is_not_found = columns.is_not_found()
    read_on = columns.read_on()
    saw_estimates = columns.saw_estimates()
    settlement = columns.settlement(null=columns.NOT_SETTLED)
    settlement_reason = columns.settlement_reason(null=columns.NOT_SETTLED)
    settlement_words = columns.settlement_words(null="The words of the reader or of the record settle it, or none do.")
    settlement_place = columns.settlement_place(null="There are no other words.")
    ledger_had = columns.ledger_had(null="Nothing was wrong, or it had nothing.")
