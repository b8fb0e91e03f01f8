"""One row a published figure that its own factors contradict."""

from schemas import columns
from schemas.contract import Contract


class Errata(Contract, grain="erratum_id"):
    erratum_id = columns.erratum_id()
    model_id = columns.model_id(null=columns.NO_MODEL)
    figure = columns.figure()
    published_figure = columns.published_figure()
    corrected_figure = columns.corrected_figure()
    factors = columns.factors()
    explanation = columns.explanation()
