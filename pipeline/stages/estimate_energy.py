"""Estimates the energy of each allocation: chip time x power x load of the server x overhead of the data centre."""

from pipeline.rules import energy
from schemas.table import Table
from schemas.tables.completed_allocations import CompletedAllocations
from schemas.tables.defaults import Defaults, log_sds, values
from schemas.tables.energy_estimates import EnergyEstimates
from schemas.tables.hardware import Hardware
from schemas.tables.models import Models


def build(
    completed_allocations: Table[CompletedAllocations],
    hardware: Table[Hardware],
    models: Table[Models],
    defaults: Table[Defaults],
) -> Table[EnergyEstimates]:
    """Estimates the energy of each allocation: chip time x power x load of the server x overhead of the data centre."""
    loads, overheads = (
        (values(defaults, name), log_sds(defaults, name)) for name in ("chip_load", "facility_overhead")
    )
    return energy.estimated(completed_allocations, hardware, models, loads, overheads)
