"""One row a published measurement that was examined and is not used."""

from schemas import columns
from schemas.contract import Contract


class RejectedMeasurements(Contract, grain="measurement_id row"):
    measurement_id = columns.measurement_id()
    row = columns.row()
    rejection_reason = columns.rejection_reason()
    note = columns.note()
