"""One row a blind second reading beside the ledger's value of the same fact; chips are not compared."""

from schemas import columns
from schemas.contract import Contract


class ReadingComparison(Contract, grain="reader model_id path"):
    reader = columns.reader()
    model_id = columns.model_id()
    path = columns.read_path()
    unit = columns.unit(null=columns.NOT_READ_AS_NUMBER)
    written = columns.written(null=columns.NOT_READ)
    amount = columns.amount(null=columns.NOT_READ_AS_NUMBER)
    ledger_amount = columns.ledger_amount(null="The fact is a word, or the ledger has none in this unit.")
    ledger_word = columns.ledger_word(null="The fact is a number, or the ledger has none.")
    reading_ratio = columns.reading_ratio(null="There are not two numbers.")
    reading_outcome = columns.reading_outcome()
    settlement = columns.settlement(null=columns.NOT_SETTLED)
    settlement_reason = columns.settlement_reason(null=columns.NOT_SETTLED)
