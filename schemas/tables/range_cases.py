"""One row a basis of ranges and a known model, by which ranges of others are made."""

from schemas import columns
from schemas.contract import Contract


class RangeCases(Contract, grain="range_basis model_id"):
    model_id = columns.model_id()
    range_basis = columns.range_basis()
    parent_organization = columns.parent_organization(null=columns.NO_ORGANIZATION)
    published_date = columns.published_date()
    low_log = columns.low_log()
    middle_log = columns.middle_log()
    high_log = columns.high_log()
    training_log = columns.training_log()
    ratio_log = columns.ratio_log()
