"""One row a year and kind of precision: the peak used for an unknown chip."""

from schemas import columns
from schemas.contract import Contract


class YearPeaks(Contract, grain="published_year applies_to"):
    published_year = columns.published_year()
    applies_to = columns.applies_to()
    peak_flop_per_second = columns.peak_flop_per_second()
    log_sd = columns.log_sd()
    peak_basis = columns.peak_basis()
    source = columns.source()
