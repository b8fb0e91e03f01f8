"""One row a known fact that was hidden and imputed, or compared with another figure for it."""

from schemas import columns
from schemas.contract import Contract


class ImputationBacktests(Contract, grain="quantity rule model_id place"):
    quantity = columns.quantity()
    rule = columns.rule()
    model_id = columns.model_id()
    place = columns.place()
    phase = columns.phase(null=columns.WHOLE_MODEL)
    allocation = columns.allocation(null=columns.WHOLE_PHASE)
    published_year = columns.published_year()
    known_value = columns.known_value()
    filled_value = columns.filled_value()
    log_error = columns.log_error()
    filled_low = columns.filled_low()
    filled_high = columns.filled_high()
    is_in_interval = columns.is_in_interval()
