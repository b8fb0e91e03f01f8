"""Contract of `method_comparison`: one row a model with two independent methods."""

from schemas import fields
from schemas.table import TableModel


class MethodComparison(TableModel, grain=("model_id",)):
    """One row a model with two independent methods."""

    model_id: fields.model_id
    published_year: fields.published_year
    domain: fields.domain
    operation_count_flop: fields.operation_count_flop
    gpu_time_flop: fields.gpu_time_flop
    method_ratio: fields.method_ratio
    has_imputed_inputs: fields.has_imputed_inputs
