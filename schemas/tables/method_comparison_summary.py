"""Contract of `method_comparison_summary`: one row a group of models with two independent methods."""

from schemas import fields
from schemas.table import TableModel


class MethodComparisonSummary(TableModel, grain=("grouping", "group")):
    """One row a group of models with two independent methods."""

    grouping: fields.grouping
    group: fields.group
    models_number: fields.models_number
    geometric_mean_ratio: fields.geometric_mean_ratio
    geometric_standard_deviation: fields.geometric_standard_deviation | None
    share_within_1_7_fraction: fields.share_within_1_7_fraction
    share_within_2_fraction: fields.share_within_2_fraction
    share_within_3_fraction: fields.share_within_3_fraction
