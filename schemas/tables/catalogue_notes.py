"""One row a figure or equation of a note on training compute in Epoch's table; no estimate uses it."""

from schemas import columns
from schemas.contract import Contract


class CatalogueNotes(Contract, grain="source_row note_place"):
    source_row = columns.source_row()
    note_place = columns.note_place()
    name = columns.name()
    table_flop = columns.table_flop(null="The row has no training compute.")
    note_flop = columns.note_flop()
    note_result_flop = columns.note_result_flop(null="It is a figure alone.")
    note_equation = columns.note_equation(null="It is a figure alone.")
    lacks_six = columns.lacks_six()
