"""One row a measurement, predicted from all sources but its own."""

from schemas import columns
from schemas.contract import Contract


class UtilizationBacktests(Contract, grain="measurement_id row"):
    measurement_id = columns.measurement_id()
    row = columns.row()
    network = columns.network()
    precision = columns.precision()
    generation = columns.generation(null=columns.NO_WORD)
    measured_utilization_fraction = columns.measured_utilization_fraction()
    default_utilization_fraction = columns.default_utilization_fraction()
    utilization_low_fraction = columns.utilization_low_fraction()
    utilization_middle_fraction = columns.utilization_middle_fraction()
    utilization_high_fraction = columns.utilization_high_fraction()
