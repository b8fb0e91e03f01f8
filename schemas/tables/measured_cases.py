"""Contract of `measured_cases`: one row a measurement that predicts utilizations of like cases."""

from schemas import fields
from schemas.table import TableModel


class MeasuredCases(TableModel, grain=("measurement_id", "row")):
    """One row a measurement that predicts utilizations of like cases."""

    measurement_id: fields.measurement_id
    row: fields.row
    network: fields.network
    precision: fields.precision
    generation: fields.generation | None
    hardware_id: fields.hardware_id
    peak_flop_per_second: fields.peak_flop_per_second
    chips: fields.chips
    run_kind: fields.run_kind
    measured_utilization_fraction: fields.measured_utilization_fraction
    default_utilization_fraction: fields.default_utilization_fraction
    intensity: fields.intensity | None
    work_flop: fields.work_flop | None
