"""One row a utilization that a source states without a throughput that could be checked."""

from schemas import columns
from schemas.contract import Contract


class ReportedUtilizations(Contract, grain="measurement_id row"):
    measurement_id = columns.measurement_id()
    row = columns.row()
    about = columns.about()
    network = columns.network(null=columns.NO_NETWORK)
    hardware_id = columns.hardware_id(null=columns.NO_CHIP)
    precision = columns.precision(null=columns.NO_PRECISION)
    stated_utilization_fraction = columns.stated_utilization_fraction()
    utilization_kind = columns.utilization_kind()
    evidence = columns.evidence()
    note = columns.note(null=columns.NONE_KNOWN)
