-- Models with an estimate, and their ratio of training compute to the bound, ln, from which ranges are made.
select i.*, ln(training_flop) as training_log, training_log - middle_log as ratio_log
from range_inputs i join headline_totals using (model_id)
where training_flop is not null and (range_basis = 'base_floor' or headline_method = 'operation_count')
