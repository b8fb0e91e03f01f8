"""One row a family of networks, precision and generation of chips with measurements."""

from schemas import columns
from schemas.contract import Contract


class UtilizationCells(Contract, grain="network precision generation"):
    network = columns.network()
    precision = columns.precision()
    generation = columns.generation()
    rows = columns.rows()
    sources_number = columns.sources_number()
    default_utilization_fraction = columns.default_utilization_fraction()
    utilization_p10_fraction = columns.utilization_p10_fraction()
    utilization_median_fraction = columns.utilization_median_fraction()
    utilization_p90_fraction = columns.utilization_p90_fraction()
    share_within_factor_two_fraction = columns.share_within_factor_two_fraction()
    default_log_error = columns.default_log_error()
    predicted_log_error = columns.predicted_log_error(null="Where circular.")
