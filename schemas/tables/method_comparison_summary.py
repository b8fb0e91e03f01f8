"""One row a group of models with two independent methods."""

from schemas import columns
from schemas.contract import Contract


class MethodComparisonSummary(Contract, grain="grouping group"):
    grouping = columns.grouping()
    group = columns.group()
    models_number = columns.models_number()
    geometric_mean_ratio = columns.geometric_mean_ratio()
    geometric_standard_deviation = columns.geometric_standard_deviation(null="For one model.")
    share_within_1_7_fraction = columns.share_within_1_7_fraction()
    share_within_2_fraction = columns.share_within_2_fraction()
    share_within_3_fraction = columns.share_within_3_fraction()
