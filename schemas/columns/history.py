"""Columns of second readings and of what changed between releases."""

from schemas import vocabulary
from schemas.columns.declared import Column, day, flag, identifier, one_of, positive

# Blind second readings
seed = Column("text", "Seed by which the models were drawn.")
reader = identifier("Who read: the file name of the record of readings.")
read_on = day("Day of the reading.")
saw_estimates = flag("Whether the reader saw a record or an estimate of the ledger; never so.")
read_path = one_of(vocabulary.ReadPath, "The fact that was looked for.")
is_not_found = flag("Whether the reader found nothing of it in what was opened.")
words = Column("text", "The words that state it, verbatim, several of them joined by |, at most 25 each.")
doubt = Column("text", "What the reader was not sure of.")
settlement = one_of(
    vocabulary.Settlement,
    "Who was right, by the sources opened once more: the ledger was wrong or silent (and is mended), the reader was, both are right of different things, or it is open.",
)
settlement_reason = Column("text", "Why it was settled so.")
settlement_words = Column("text", "Words that settle it, verbatim, several of them joined by |, at most 25 each.")
settlement_place = Column("text", "Where these words stand.")
ledger_had = Column("text", "What the ledger had before it was mended.")
ledger_amount = positive(
    "The ledger's number of the same fact and unit, of the phases of pre-training where there are any, else of all; as it was before a mistake was mended."
)
ledger_word = Column(
    "text", "The ledger's number format, joined by + for several, as it was before a mistake was mended."
)
reading_ratio = positive("amount / ledger_amount.")
reading_outcome = one_of(
    vocabulary.ReadingOutcome,
    "How reader and ledger compare; agrees is within `check.same_reading_ratio` of params.yaml.",
)

# History
release = Column("text", "Version of the release that has the new value; unreleased where none has it yet.")
column = Column("text", "Column of estimates that moved; training_flop where a model was added or is gone.")
old = Column("text", "The value in the release before, as its CSV has it.")
new = Column("text", "The value in this release, as its CSV has it.")
change_reason = Column(
    "text", "What it moved through: columns, and facts of records with their values before and after."
)
