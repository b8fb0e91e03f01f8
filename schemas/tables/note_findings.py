"""One row a row of Epoch's table whose note on training compute does not agree with it or with itself, for the table's maintainers."""

from schemas import columns
from schemas.contract import Contract


class NoteFindings(Contract, grain="source_row finding_reason"):
    source_row = columns.source_row()
    finding_reason = columns.finding_reason()
    name = columns.name()
    table_flop = columns.table_flop(null="The row has no training compute.")
    note_flop = columns.note_flop()
    finding_ratio = columns.finding_ratio()
    note_equation = columns.note_equation()
