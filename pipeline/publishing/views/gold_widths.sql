-- The three numbers for the error of GPU time, as stored and as gold runs imply them. `whole_run` is the weighted
-- median of counted over predicted FLOP; the two half-widths are those of a logistic distribution with the same 5 % and
-- 95 % points around this median (methods, section 4).
with logs as (
    select ln(operation_count_flop / gpu_time_informed_flop) as log_ratio, weight,
        sum(weight) over (order by log_ratio, gold_group_id, run) / sum(weight) over () as share
    from gold_runs
    where gpu_time_informed_flop is not null
), points as (
    select min(log_ratio) filter (where share >= 0.05 - 1e-9) as low,
        min(log_ratio) filter (where share >= 0.5 - 1e-9) as middle,
        min(log_ratio) filter (where share >= 0.95 - 1e-9) as high
    from logs
), implied as (
    select unnest([
        {'name': 'whole_run', 'gold_value': exp(middle)},
        {'name': 'gpu_time_up', 'gold_value': (high - middle) / ln(19)},
        {'name': 'gpu_time_down', 'gold_value': (middle - low) / ln(19)}
    ], recursive := true)
    from points
)
select name, default_value as stored_value, gold_value
from implied join defaults on quantity = 'uncertainty' and applies_to = name
where gold_value is not null
order by name desc
