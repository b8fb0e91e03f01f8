"""One row a model and what its result rests on beside its own training and its base models': teachers, made data, searches."""

from schemas import columns
from schemas.contract import Contract


class Contributions(Contract, grain="model_id contribution"):
    model_id = columns.model_id()
    contribution = columns.contribution()
    accounting = columns.accounting()
    contributor_id = columns.contributor_id(null="The source names none, or none of the ledger.")
    contribution_flop = columns.contribution_flop(
        null="Not stated; a teacher's or a search's is the training of its model."
    )
    evidence = columns.evidence()
    source = columns.source(null=columns.STATED_BY_USER)
    text = columns.text(null=columns.SEEN_OTHERWISE)
    note = columns.note(null=columns.NONE_KNOWN)
