"""One row a measurement compared with the default utilization."""

from schemas import columns
from schemas.contract import Contract


class Checks(Contract, grain="measurement_id row"):
    measurement_id = columns.measurement_id()
    row = columns.row()
    network = columns.network()
    hardware_id = columns.hardware_id()
    precision = columns.precision()
    chips = columns.chips()
    default_utilization_fraction = columns.default_utilization_fraction()
    measured_utilization_fraction = columns.measured_utilization_fraction()
    time_ratio = columns.time_ratio()
    is_within_factor_two = columns.is_within_factor_two()
