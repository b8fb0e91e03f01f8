"""Contract of `triage`: one row a model that is no fine-tune: the one fact that would narrow its interval most."""

from schemas import fields
from schemas.table import TableModel


class Triage(TableModel, grain=("rank",)):
    """One row a model that is no fine-tune: the one fact that would narrow its interval most."""

    rank: fields.rank
    model_id: fields.model_id
    wanted_input: fields.wanted_input
    interval_ratio: fields.interval_ratio
    narrowing_ratio: fields.narrowing_ratio
