"""One row an allocation: what its chips cost by three readings, and the prices behind it."""

from schemas import columns
from schemas.contract import Contract


class Costs(Contract, grain="model_id phase allocation"):
    model_id = columns.model_id()
    phase = columns.phase()
    allocation = columns.allocation()
    began_date = columns.began_date()
    server_usd = columns.server_usd(null="No price of a purchase is known, or none as early.")
    rent_per_hour_usd = columns.rent_per_hour_usd(null="No price of rent is known, or none as early.")
    nearest_price_date = columns.nearest_price_date(null=columns.NO_COST)
    prices_number = columns.prices_number()
    electricity_usd = columns.electricity_usd(
        null="The energy is not known, or training began before the first price of electricity."
    )
    amortized_usd = columns.amortized_usd(null="Chip time, energy or a price of a purchase is not known.")
    purchase_usd = columns.purchase_usd(null="The number of chips or a price of a purchase is not known.")
    rent_usd = columns.rent_usd(null="Chip time or a price of rent is not known.")
    cost_usd = columns.cost_usd(null=columns.NO_COST)
    cost_log_sd = columns.cost_log_sd(null=columns.NO_COST)
    cost_basis = columns.cost_basis()
