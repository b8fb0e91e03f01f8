"""Contract of `utilization_backtests`: one row a measurement, predicted from all sources but its own."""

from schemas import fields
from schemas.table import TableModel


class UtilizationBacktests(TableModel, grain=("measurement_id", "row")):
    """One row a measurement, predicted from all sources but its own."""

    measurement_id: fields.measurement_id
    row: fields.row
    network: fields.network
    precision: fields.precision
    generation: fields.generation | None
    measured_utilization_fraction: fields.measured_utilization_fraction
    default_utilization_fraction: fields.default_utilization_fraction
    utilization_low_fraction: fields.utilization_low_fraction
    utilization_middle_fraction: fields.utilization_middle_fraction
    utilization_high_fraction: fields.utilization_high_fraction
