"""One row a year and kind of precision: the default peak and that of the ledger's own chips."""

from schemas import columns
from schemas.contract import Contract


class YearPeakComparison(Contract, grain="published_year applies_to"):
    published_year = columns.published_year()
    applies_to = columns.applies_to()
    default_peak_flop_per_second = columns.default_peak_flop_per_second()
    peak_basis = columns.peak_basis()
    source = columns.source()
    own_mean_peak_flop_per_second = columns.own_mean_peak_flop_per_second()
    log_sd = columns.log_sd()
    models_number = columns.models_number()
    common_hardware_id = columns.common_hardware_id()
    common_peak_flop_per_second = columns.common_peak_flop_per_second()
    common_models_number = columns.common_models_number()
