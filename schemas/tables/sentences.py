"""One row a model: what is said of its number, in words."""

from schemas import columns
from schemas.contract import Contract


class Sentences(Contract, grain="model_id"):
    model_id = columns.model_id()
    covers_sentence = columns.covers_sentence(null=columns.NO_HEADLINE)
    how_sentence = columns.how_sentence(null=columns.NO_HEADLINE)
    interval_sentence = columns.interval_sentence(null=columns.NO_HEADLINE)
    confidence_sentence = columns.confidence_sentence(null=columns.NO_HEADLINE)
    second_sentence = columns.second_sentence(null="No second estimate differs.")
    independence_sentence = columns.independence_sentence(null="The methods are independent, or there are not two.")
    dispute_sentence = columns.dispute_sentence(null=columns.NO_DISPUTE)
    dispute_resolution = columns.dispute_resolution(null=columns.NO_DISPUTE)
