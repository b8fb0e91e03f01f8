"""Contract of `contributions`: one row a model and what its result rests on beside its own training and its base models'."""

from schemas import fields
from schemas.table import TableModel


class Contributions(TableModel, grain=("model_id", "contribution")):
    """One row a model and what its result rests on beside its own training and its base models': teachers, made data, searches."""

    model_id: fields.model_id
    contribution: fields.contribution
    accounting: fields.accounting
    contributor_id: fields.contributor_id | None
    contribution_flop: fields.contribution_flop | None
    evidence: fields.evidence
    source: fields.source | None
    text: fields.text | None
    note: fields.note | None
