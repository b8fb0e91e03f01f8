"""Contract of `imputation_backtests`: one row a known fact that was hidden and imputed, or compared with another figure for it."""

from schemas import fields
from schemas.table import TableModel


class ImputationBacktests(TableModel, grain=("quantity", "rule", "model_id", "place")):
    """One row a known fact that was hidden and imputed, or compared with another figure for it."""

    quantity: fields.quantity
    rule: fields.rule
    model_id: fields.model_id
    place: fields.place
    phase: fields.phase | None
    allocation: fields.allocation | None
    published_year: fields.published_year
    known_value: fields.known_value
    filled_value: fields.filled_value
    log_error: fields.log_error
    filled_low: fields.filled_low
    filled_high: fields.filled_high
    is_in_interval: fields.is_in_interval
