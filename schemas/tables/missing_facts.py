"""One row a fact that was looked for and not found."""

from schemas import columns
from schemas.contract import Contract


class MissingFacts(Contract, grain="model_id path"):
    model_id = columns.model_id()
    path = columns.path()
    looked_in = columns.looked_in(null=columns.RECORD_SAYS_NOTHING)
    would_settle = columns.would_settle(null=columns.RECORD_SAYS_NOTHING)
