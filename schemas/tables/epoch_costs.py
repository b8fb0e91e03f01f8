"""Contract of `epoch_costs`: one row a row of Epoch's table that gives a cost, as it gives it; no estimate uses it."""

from schemas import columns
from schemas.contract import Contract


class EpochCosts(Contract):
    """One row a row of Epoch's table that gives a cost, as it gives it; no estimate uses it."""

    source_row = columns.source_row()
    name = columns.name()
    epoch_cost_usd = columns.epoch_cost_usd(null="The cell is empty.")
    epoch_cloud_usd = columns.epoch_cloud_usd(null="The cell is empty.")
    epoch_upfront_usd = columns.epoch_upfront_usd(null="The cell is empty.")
    epoch_chip_hours = columns.epoch_chip_hours(null="The row gives no hours, or no number of chips.")
    cost_note = columns.cost_note(null="The cell is empty.")

    class Config:
        unique = ["source_row"]
