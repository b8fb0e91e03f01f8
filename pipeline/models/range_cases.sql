-- Known models and their ratio for ranges: training compute / the bound, ln.
select i.*, ln(training_flop) as training_log, training_log - middle_log as ratio_log
from range_inputs i join headline_totals using (model_id)
where training_flop is not null and (range_basis = 'base_floor' or headline_method = 'operation_count')
