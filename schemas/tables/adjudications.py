"""Contract of `adjudications`: one row a value of someone else's table that was judged by its sources."""

from schemas import fields
from schemas.table import TableModel


class Adjudications(TableModel, grain=("snapshot", "name", "published_flop")):
    """One row a value of someone else's table that was judged by its sources; drawn, not chosen."""

    snapshot: fields.snapshot
    name: fields.name
    published_flop: fields.published_flop
    corrected_flop: fields.corrected_flop | None
    reason: fields.reason | None
    certainty: fields.certainty
    factors: fields.factors | None
    note: fields.note
    stratum: fields.stratum
    sampling_weight: fields.sampling_weight
    evidence: fields.evidence
    record_id: fields.record_id
    path: fields.path
