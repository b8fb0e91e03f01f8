-- Durations of gold runs in days, forecast from their counted operations with the time hidden, at the utilization that
-- forecasts use: the default for language, otherwise three quarters of the prediction from measurements by others. The
-- runs of a group share one vote.
with widths as (
    select max(default_value) filter (applies_to = 'whole_run') as whole_run,
        max(default_value) filter (applies_to = 'gpu_time_up') as up,
        max(default_value) filter (applies_to = 'gpu_time_down') as down
    from defaults where quantity = 'uncertainty'
), errors as (  -- ln of forecast days over actual days, which is actual over assumed utilization
    select gold_group_id, weight, up, down, ln(operation_count_flop / case when network = 'language_transformer'
            then gpu_time_flop else gpu_time_informed_flop * whole_run end) as error_log
    from gold_runs cross join widths
    where operation_count_flop is not null and gpu_time_informed_flop is not null
), ranked as (  -- cumulative share of the votes
    select *, sum(weight) over (order by error_log) / sum(weight) over () as votes,
        sum(weight) over (order by abs(error_log)) / sum(weight) over () as votes_of_size
    from errors
)
select 'days' as forecast_of, count(*) as runs_number, count(distinct gold_group_id) as groups_number,
    sum(weight) filter (error_log between -down * ln(3) and up * ln(3)) / sum(weight) as held_50_fraction,
    sum(weight) filter (error_log between -down * ln(19) and up * ln(19)) / sum(weight) as held_90_fraction,
    exp(min(abs(error_log)) filter (votes_of_size >= 0.5)) as median_factor,
    exp(min(error_log) filter (votes >= 0.5)) as median_ratio
from ranked
having count(*) > 0
