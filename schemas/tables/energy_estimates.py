"""Contract of `energy_estimates`: one row an allocation."""

from schemas import fields
from schemas.table import TableModel


class EnergyEstimates(TableModel, grain=("model_id", "phase", "allocation")):
    """One row an allocation: the energy that it took, and the factors behind it."""

    model_id: fields.model_id
    phase: fields.phase
    allocation: fields.allocation
    chip_seconds: fields.chip_seconds | None
    power_watts: fields.power_watts | None
    chip_load_ratio: fields.chip_load_ratio | None
    facility_overhead_ratio: fields.facility_overhead_ratio | None
    energy_kwh: fields.energy_kwh | None
    energy_log_sd: fields.energy_log_sd | None
