"""One row a basis of ranges and a direction: how often its ranges hold known models of other organizations."""

from schemas import columns
from schemas.contract import Contract


class RangeBacktests(Contract, grain="range_basis is_forwards"):
    range_basis = columns.range_basis()
    is_forwards = columns.is_forwards()
    models_number = columns.range_models_number()
    coverage_fraction = columns.coverage_fraction()
    median_width_decades = columns.median_width_decades()
