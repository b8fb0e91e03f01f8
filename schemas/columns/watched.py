"""Columns of watched sources, and of what the notes of Epoch's table say."""

from schemas import vocabulary
from schemas.columns.declared import DAY, FLOP, POSITIVE, Column, any_of

# What is watched, and what the notes of Epoch's table say
watched_source_id = Column("text", "Id of a watched source: its file in data/records/sources.")
watched_kind = Column("text", "What is watched: a table, repositories by round, or the addresses that records name.")
source_address = Column("text", "Where the source is; {round} stands for each round.")
source_licence = Column("text", "Licence of the source.")
cadence_days = Column("number", "How often it is worth looking, in days.", checks=POSITIVE)
fetched_on = Column("text", "Day of the copy that the ledger rests on.", checks=DAY, form="day")
fetched_sha256 = Column("text", "SHA-256 of the raw file as it was read.")
fetched_bytes = Column("whole number", "Size of the raw file, in bytes.", checks=POSITIVE)
note_place = Column("whole number", "Place of the figure or equation in its note, from 1.", checks=POSITIVE)
note_equation = Column("text", "The equation in the words of the note.")
note_flop = Column(
    "number", "A figure of a note on compute, or what the left side of its equation comes to.", unit="flop"
)
note_result_flop = Column("number", "What the note says that the left side comes to.", unit="flop")
lacks_six = Column(
    "true or false", "Whether an equation multiplies parameters and tokens, or names 6ND, without the factor of six."
)
table_flop = Column("number", "The row's own training compute, as the table has it.", unit="flop", checks=FLOP)
finding_reason = Column("text", "What does not agree in a row of the table.", checks=any_of(vocabulary.NoteFinding))
finding_ratio = Column(
    "number",
    "What the note comes to, divided by what stands against it: the row's value, or the note's own result.",
    checks=POSITIVE,
)
