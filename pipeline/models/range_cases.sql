-- Models with an estimate, each with the ln ratio of its training compute to the bound. Ranges are made from these
-- ratios.
select i.*, ln(training_flop) as training_log, training_log - middle_log as ratio_log
from range_inputs i join headline_totals using (model_id)
where training_flop is not null and (range_basis = 'base_floor' or headline_method = 'operation_count')
