"""One row a chip and precision."""

from schemas import columns
from schemas.contract import Contract


class Peaks(Contract, grain="hardware_id precision"):
    hardware_id = columns.hardware_id()
    precision = columns.precision()
    peak_flop_per_second = columns.peak_flop_per_second()
    narrow_accumulate_peak_flop_per_second = columns.narrow_accumulate_peak_flop_per_second(
        null="Not faster with 16-bit sums, or not stated."
    )
    evidence = columns.evidence()
