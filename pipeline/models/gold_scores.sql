-- Errors of each method of estimating gold runs, compared with the runs' counted operations, by traits of the runs. All
-- runs in a group share one vote.
with estimated as (
    select *, unnest([
        {'gold_method': 'default_utilization', 'estimated_flop': gpu_time_flop},
        {'gold_method': 'predicted_utilization', 'estimated_flop': gpu_time_informed_flop},
        {'gold_method': 'whole_run', 'estimated_flop': gpu_time_informed_flop * uncertainty['whole_run']},
        {'gold_method': 'six_nd', 'estimated_flop': six_nd_flop}], recursive := true),
        uncertainty['gpu_time_up'] * logistic_reach(0.95) as up,
        uncertainty['gpu_time_down'] * logistic_reach(0.95) as down
    from gold_runs cross join constants
), grouped as (
    select gold_group_id, gold_method, ln(estimated_flop / operation_count_flop) as log_ratio, weight,
        case when gold_method = 'whole_run' then -log_ratio between -down and up end as is_held,
        unnest([
            {'gold_grouping': 'all', 'group_name': 'all'},
            {'gold_grouping': 'published_year', 'group_name': published[:4]},
            {'gold_grouping': 'generation', 'group_name': generation},
            {'gold_grouping': 'precision', 'group_name': precision},
            {'gold_grouping': 'scale', 'group_name': '1e' || (3 * floor(log10(operation_count_flop) / 3))::int},
            {'gold_grouping': 'network', 'group_name': network},
            {'gold_grouping': 'hours_cover', 'group_name': hours_cover},
            {'gold_grouping': 'run_evidence', 'group_name': run_evidence},
            {'gold_grouping': 'is_in_ledger', 'group_name': (model_id is not null)::varchar}], recursive := true)
    from estimated
    where estimated_flop is not null
), ranked as (
    select *,
        -- Weights are summed as decimals, so that the order of rows cannot change the result.
        sum(weight::decimal(38, 9)) over (
            partition by gold_grouping, group_name, gold_method order by log_ratio, gold_group_id
            rows unbounded preceding)
            - weight::decimal(38, 9) / 2 as below,
        sum(weight::decimal(38, 9)) over (partition by gold_grouping, group_name, gold_method) as whole
    from grouped
    where group_name is not null
), summed as (
    select gold_grouping, group_name, gold_method, count(*) as runs_number,
        count(distinct gold_group_id) as groups_number,
        max_by(log_ratio, below) filter (where below <= whole / 2) as median_log, fine_sum(weight) as votes,
        fine_sum(weight * log_ratio) / votes as mean_log, fine_sum(weight * log_ratio ** 2) / votes as mean_square_log,
        fine_sum(weight * (abs(log_ratio) <= ln(1.25))::int) / votes as share_of_runs_within_1_25_fraction,
        fine_sum(weight * (abs(log_ratio) <= ln(2))::int) / votes as share_of_runs_within_2_fraction,
        fine_sum(weight * is_held::int) / votes as share_of_runs_held_fraction
    from ranked
    group by gold_grouping, group_name, gold_method
)
select gold_grouping, group_name, gold_method, runs_number, groups_number, exp(median_log) as median_ratio,
    exp(greatest(mean_square_log - mean_log ** 2, 0) ** 0.5) as ratio_standard_deviation,
    share_of_runs_within_1_25_fraction, share_of_runs_within_2_fraction, share_of_runs_held_fraction
from summed
