"""Contract of `rejected_measurements`: one row a published measurement that was examined and is not used."""

from schemas import columns
from schemas.contract import Contract


class RejectedMeasurements(Contract):
    """One row a published measurement that was examined and is not used."""

    measurement_id = columns.measurement_id()
    row = columns.row()
    rejection_reason = columns.rejection_reason()
    note = columns.note()

    class Config:
        unique = ["measurement_id", "row"]
