-- Models with estimates by two independent methods, whose ratio therefore tests both.
select model_id, published_year, e.domain, operation_count_flop, gpu_time_flop, method_ratio,
    imputed_inputs is not null as has_imputed_inputs
from estimates e join models using (model_id)
where independence = 'independent'
