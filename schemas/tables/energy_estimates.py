"""One row an allocation: the energy that it took, and the factors behind it."""

from schemas import columns
from schemas.contract import Contract


class EnergyEstimates(Contract, grain="model_id phase allocation"):
    model_id = columns.model_id()
    phase = columns.phase()
    allocation = columns.allocation()
    chip_seconds = columns.chip_seconds(null=columns.NO_CHIP_TIME)
    power_watts = columns.power_watts(null=columns.NOT_STATED)
    chip_load_ratio = columns.chip_load_ratio(null=columns.NO_ENERGY)
    chip_load_case = columns.chip_load_case(null=columns.NO_ENERGY)
    facility_overhead_ratio = columns.facility_overhead_ratio(null=columns.NO_ENERGY)
    energy_kwh = columns.energy_kwh(null=columns.NO_ENERGY)
    energy_log_sd = columns.energy_log_sd(null=columns.NO_ENERGY)
