"""One row a value of someone else's table that was judged by its sources; drawn, not chosen."""

from schemas import columns
from schemas.contract import Contract


class Adjudications(Contract, grain="snapshot name published_flop"):
    snapshot = columns.snapshot()
    name = columns.name()
    published_flop = columns.published_flop()
    corrected_flop = columns.corrected_flop(null="The value is of another artefact.")
    reason = columns.reason(null=columns.NO_REASON)
    certainty = columns.certainty()
    factors = columns.factors(null="No factors are known from which the value would follow.")
    note = columns.note()
    stratum = columns.stratum()
    sampling_weight = columns.sampling_weight()
    evidence = columns.evidence()
    record_id = columns.record_id()
    path = columns.path()
