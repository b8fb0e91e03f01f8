"""One row a pair of effects on utilization, by which it is predicted."""

from schemas import columns
from schemas.contract import Contract

OF_ONE = "Where the effects are two."


class UtilizationModel(Contract, grain="effect other_effect"):
    effect = columns.effect()
    other_effect = columns.other_effect()
    covariance = columns.covariance()
    coefficient = columns.coefficient(null=OF_ONE)
    origin_size = columns.origin_size(null="Where the effects are two, or no slope.")
