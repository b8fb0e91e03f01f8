"""One row a row of Epoch's table that gives training compute or a cost, as it gives them; no estimate uses it."""

from schemas import columns
from schemas.contract import Contract


class EpochResults(Contract, grain="source_row"):
    source_row = columns.source_row()
    name = columns.name()
    epoch_flop = columns.epoch_flop(null="The cell is empty.")
    epoch_confidence = columns.epoch_confidence(null="The cell is empty, or says that it is not known.")
    epoch_cost_usd = columns.epoch_cost_usd(null="The cell is empty.")
    epoch_cloud_usd = columns.epoch_cloud_usd(null="The cell is empty.")
    epoch_upfront_usd = columns.epoch_upfront_usd(null="The cell is empty.")
    epoch_chip_hours = columns.epoch_chip_hours(null="The row gives no hours, or no number of chips.")
    cost_note = columns.cost_note(null="The cell is empty.")
