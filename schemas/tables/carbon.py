"""One row an allocation: what its electricity emitted, and whose grid is taken."""

from schemas import columns
from schemas.contract import Contract


class Carbon(Contract, grain="model_id phase allocation"):
    model_id = columns.model_id()
    phase = columns.phase()
    allocation = columns.allocation()
    grid_place = columns.grid_place()
    grid_basis = columns.grid_basis()
    grid_year = columns.grid_year(null="No factor of the place is known for that year.")
    grid_g_per_kwh = columns.grid_g_per_kwh(null="No factor of the place is known for that year.")
    co2_kg = columns.co2_kg(null=columns.NO_CO2)
    co2_log_sd = columns.co2_log_sd(null=columns.NO_CO2)
    water_litres = columns.water_litres(null=columns.NO_ENERGY)
    water_log_sd = columns.water_log_sd(null=columns.NO_ENERGY)
