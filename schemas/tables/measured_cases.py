"""One row a measurement that predicts utilizations of like cases."""

from schemas import columns
from schemas.contract import Contract


class MeasuredCases(Contract, grain="measurement_id row"):
    measurement_id = columns.measurement_id()
    row = columns.row()
    measurement_source = columns.measurement_source()
    network = columns.network()
    precision = columns.precision()
    generation = columns.generation(null=columns.NO_WORD)
    hardware_id = columns.hardware_id()
    peak_flop_per_second = columns.peak_flop_per_second()
    chips = columns.chips()
    run_kind = columns.run_kind()
    measured_utilization_fraction = columns.measured_utilization_fraction()
    default_utilization_fraction = columns.default_utilization_fraction()
    intensity = columns.intensity(null=columns.NO_INTENSITY)
    work_flop = columns.work_flop(null=columns.NO_BATCH)
