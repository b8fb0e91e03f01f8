-- Probability that a model's total for thresholds is above each threshold. Contributions have the same relative error
-- as the training. A lower bound has no probability. A user's run is never above a threshold that its chips
-- cannot reach in the stated time.
with totals as (
    select model_id, shape, up_log, down_log,
        ln(coalesce(cumulative_flop, training_flop)) + coalesce(lean_log, 0) as total_log,
        cumulative_flop > training_flop as has_contributions
    from headline_totals left join cumulative_totals using (model_id) where training_flop is not null
), limited as (
    select t.*, case when chip_seconds_class = 'stated_by_user' and not is_hardware_imputed
        and not coalesce(has_contributions, false) then chip_peak_flop * greatest(coalesce(format_ratio, 1), 1) end
        as most_flop
    from totals t left join (from comparison where is_whole) c using (model_id)
)
select model_id,
    least(greatest(if(most_flop <= 1e23, 0, probability_above(shape, ln(1e23) - total_log, up_log, down_log)), 1e-6),
        1 - 1e-6) as probability_above_1e23_fraction,
    least(greatest(if(most_flop <= 1e25, 0, probability_above(shape, ln(1e25) - total_log, up_log, down_log)), 1e-6),
        1 - 1e-6) as probability_above_1e25_fraction,
    least(greatest(if(most_flop <= 1e26, 0, probability_above(shape, ln(1e26) - total_log, up_log, down_log)), 1e-6),
        1 - 1e-6) as probability_above_1e26_fraction
from limited
