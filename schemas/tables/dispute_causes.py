"""One row a model whose two methods dispute, with the cause and the numbers of its sentence."""

from schemas import columns
from schemas.contract import Contract


class DisputeCauses(Contract, grain="model_id"):
    model_id = columns.model_id()
    dispute_cause = columns.dispute_cause()
    is_cause_stated = columns.is_cause_stated()
    dispute_reason = columns.dispute_reason(null=columns.RECORD_SAYS_NOTHING)
    method_ratio = columns.method_ratio()
    implied_utilization_fraction = columns.implied_utilization_fraction()
    default_utilization_fraction = columns.default_utilization_fraction()
    is_measured = columns.is_measured()
    like_low_fraction = columns.like_low_fraction(null=columns.NO_LIKE_MEASUREMENTS)
    like_high_fraction = columns.like_high_fraction(null=columns.NO_LIKE_MEASUREMENTS)
    ratio_at_predicted = columns.ratio_at_predicted()
    ratio_at_other_format = columns.ratio_at_other_format(null=columns.NO_OTHER_FORMAT)
    is_hardware_imputed = columns.is_hardware_imputed()
    is_from_parameters = columns.is_from_parameters()
    scope = columns.scope()
    examples_class = columns.examples_class()
    is_examples_inconsistent = columns.is_examples_inconsistent()
    data_reach_ratio = columns.data_reach_ratio()
    needed_ratio = columns.needed_ratio()
