"""Columns of watched sources, and of what the notes of Epoch's table say."""

from schemas import vocabulary
from schemas.columns.declared import Column, count, day, flag, flop, one_of, positive

# What is watched, and what the notes of Epoch's table say
watched_source_id = Column("text", "Id of a watched source: its file in data/records/sources.")
watched_kind = Column("text", "What is watched: a table, repositories by round, or the addresses that records name.")
source_address = Column("text", "Where the source is; {round} stands for each round.")
source_licence = Column("text", "Licence of the source.")
cadence_days = positive("How often it is worth looking, in days.")
fetched_on = day("Day of the copy that the ledger rests on.", form="day")
fetched_sha256 = Column("text", "SHA-256 of the raw file as it was read.")
fetched_bytes = count("Size of the raw file, in bytes.")
note_place = count("Place of the figure or equation in its note, from 1.")
note_equation = Column("text", "The equation in the words of the note.")
note_flop = Column(
    "number", "A figure of a note on compute, or what the left side of its equation comes to.", unit="flop"
)
note_result_flop = Column("number", "What the note says that the left side comes to.", unit="flop")
lacks_six = flag("Whether an equation multiplies parameters and tokens, or names 6ND, without the factor of six.")
table_flop = flop("The row's own training compute, as the table has it.")
finding_reason = one_of(vocabulary.NoteFinding, "What does not agree in a row of the table.")
finding_ratio = positive(
    "What the note comes to, divided by what stands against it: the row's value, or the note's own result."
)
