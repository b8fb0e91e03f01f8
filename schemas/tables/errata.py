"""Contract of `errata`: one row a published figure that its own factors contradict."""

from schemas import fields
from schemas.table import TableModel


class Errata(TableModel, grain=("erratum_id",)):
    """One row a published figure that its own factors contradict."""

    erratum_id: fields.erratum_id
    model_id: fields.model_id | None
    figure: fields.figure
    published_figure: fields.published_figure
    corrected_figure: fields.corrected_figure
    factors: fields.factors
    explanation: fields.explanation
