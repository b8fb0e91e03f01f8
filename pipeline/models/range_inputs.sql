-- Bounds, in ln FLOP, for the ranges of models whose makers state too little for an estimate: the base model's
-- interval, one second at the chips' peak, or one token through the parameters. Models with an estimate have bounds
-- too, because ranges are made from them.
with machines as (
    select model_id, any_value(ln(chips * peak_flop_per_second)) as peak_log
    from allocations a join completed_allocations using (model_id, phase, allocation, hardware_id)
    join peaks using (hardware_id, precision)
    group by model_id
    -- Training on fewer than 256 chips may last minutes or months. An "at least" number of chips has no upper end.
    having count(*) = 1 and bool_and(chips >= 256 and a.chip_seconds_bound is null)
), bounds as (
    select m.model_id, 'base_floor' as range_basis, ln(training_flop_low) as low_log, ln(training_flop) as middle_log,
        ln(training_flop_high) as high_log
    from models m join headline_totals h on h.model_id = m.base_model
    union all
    select model_id, 'chips_stated', peak_log, peak_log, peak_log from machines
    union all
    select model_id, 'parameters_stated', ln(6 * coalesce(active_parameters, parameters)) as size_log, size_log,
        size_log
    from models where domain = 'language'
)
select model_id, range_basis, parent_organization, published_date, low_log, middle_log, high_log
from bounds join models using (model_id)
where middle_log is not null and (range_basis = 'base_floor' or base_model is null and scope = 'single')
