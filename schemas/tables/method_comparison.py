"""One row a model with two independent methods."""

from schemas import columns
from schemas.contract import Contract


class MethodComparison(Contract, grain="model_id"):
    model_id = columns.model_id()
    published_year = columns.published_year()
    domain = columns.domain()
    operation_count_flop = columns.operation_count_flop()
    gpu_time_flop = columns.gpu_time_flop()
    method_ratio = columns.method_ratio()
    has_imputed_inputs = columns.has_imputed_inputs()
