"""One row a model: cost and carbon of all its parts."""

from schemas import columns
from schemas.contract import Contract


class Footprints(Contract, grain="model_id"):
    model_id = columns.model_id()
    cost_usd = columns.cost_usd(null=columns.NO_COST)
    cost_log_sd = columns.cost_log_sd(null=columns.NO_COST)
    cost_basis = columns.cost_basis()
    purchase_usd = columns.purchase_usd(
        null="The number of chips or a price of a purchase is not known, or there are several allocations of chips."
    )
    rent_usd = columns.rent_usd(null="Chip time or a price of rent is not known.")
    co2_kg = columns.co2_kg(null=columns.NO_CO2)
    co2_log_sd = columns.co2_log_sd(null=columns.NO_CO2)
