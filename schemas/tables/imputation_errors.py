"""One row a quantity, rule and year: errors of imputed values, and the coverage of intervals."""

from schemas import columns
from schemas.contract import Contract


class ImputationErrors(Contract, grain="quantity rule period"):
    quantity = columns.quantity()
    rule = columns.rule()
    period = columns.period()
    errors_number = columns.errors_number()
    median_log_error = columns.median_log_error()
    log_bias = columns.log_bias()
    error_log_sd = columns.error_log_sd()
    share_in_interval_fraction = columns.share_in_interval_fraction()
