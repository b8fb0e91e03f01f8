"""One row a gold run with the utilization that measurements of others predict."""

from schemas import columns
from schemas.contract import Contract


class GoldUtilizations(Contract, grain="gold_group_id run"):
    gold_group_id = columns.gold_group_id()
    run = columns.run()
    utilization_low_fraction = columns.utilization_low_fraction()
    utilization_middle_fraction = columns.utilization_middle_fraction()
    utilization_high_fraction = columns.utilization_high_fraction()
