"""One row a measured throughput."""

from schemas import columns
from schemas.contract import Contract


class Measurements(Contract, grain="measurement_id row"):
    measurement_id = columns.measurement_id()
    row = columns.row()
    architecture_id = columns.architecture_id()
    network = columns.network()
    utilization_case = columns.utilization_case()
    hardware_id = columns.hardware_id()
    chips = columns.chips()
    precision = columns.precision()
    batch = columns.batch(null=columns.NOT_STATED)
    timed = columns.timed()
    run_kind = columns.run_kind()
    is_whole_run = columns.is_whole_run()
    is_recomputed = columns.is_recomputed()
    is_circular = columns.is_circular()
    examples_per_second = columns.examples_per_second()
    reported_mfu_fraction = columns.reported_mfu_fraction(null=columns.NOT_STATED)
    reported_hfu_fraction = columns.reported_hfu_fraction(null=columns.NOT_STATED)
    evidence = columns.evidence()
    source = columns.source()
    licence = columns.licence()
    note = columns.note(null=columns.NONE_KNOWN)
