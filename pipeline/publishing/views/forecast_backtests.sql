-- Days of gold runs, forecast from their counted operations with their own time hidden: the utilization is predicted
-- from what others measured. Runs of a group share one vote.
with widths as (
    select max(default_value) filter (applies_to = 'whole_run') as whole_run,
        max(default_value) filter (applies_to = 'gpu_time_up') as up,
        max(default_value) filter (applies_to = 'gpu_time_down') as down
    from defaults where quantity = 'uncertainty'
), errors as (  -- ln of what the chips did over what the forecast takes them to do
    select gold_group_id, weight, up, down,
        ln(operation_count_flop / (gpu_time_informed_flop * whole_run)) as error_log
    from gold_runs cross join widths
    where operation_count_flop is not null and gpu_time_informed_flop is not null
)
select 'days' as forecast_of, count(*) as runs_number, count(distinct gold_group_id) as groups_number,
    sum(weight) filter (error_log between -down * ln(3) and up * ln(3)) / sum(weight) as held_50_fraction,
    sum(weight) filter (error_log between -down * ln(19) and up * ln(19)) / sum(weight) as held_90_fraction,
    exp(median(abs(error_log))) as median_factor,
    exp(-median(error_log)) as median_ratio
from errors
having count(*) > 0
