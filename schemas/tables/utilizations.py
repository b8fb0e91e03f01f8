"""One row an allocation with a utilization predicted from measurements of like cases."""

from schemas import columns
from schemas.contract import Contract


class Utilizations(Contract, grain="model_id phase allocation"):
    model_id = columns.model_id()
    phase = columns.phase()
    allocation = columns.allocation()
    network = columns.network()
    utilization_low_fraction = columns.utilization_low_fraction()
    utilization_middle_fraction = columns.utilization_middle_fraction()
    utilization_high_fraction = columns.utilization_high_fraction()
    utilization_log_sd = columns.utilization_log_sd()
