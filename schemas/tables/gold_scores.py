"""One row a trait of gold runs and a way of estimating: how far it lies from their counted operations."""

from schemas import columns
from schemas.contract import Contract


class GoldScores(Contract, grain="gold_grouping group_name gold_method"):
    gold_grouping = columns.gold_grouping()
    group_name = columns.group_name()
    gold_method = columns.gold_method()
    runs_number = columns.runs_number()
    groups_number = columns.groups_number()
    median_ratio = columns.median_ratio()
    ratio_standard_deviation = columns.ratio_standard_deviation()
    share_of_runs_within_1_25_fraction = columns.share_of_runs_within_1_25_fraction()
    share_of_runs_within_2_fraction = columns.share_of_runs_within_2_fraction()
    share_of_runs_held_fraction = columns.share_of_runs_held_fraction(null="Of whole_run alone.")
