-- The headline of each model's own training and its error: one estimate is chosen, a second one only widens it
-- (methods, section 4).
with refused as (
    select *, case when reported_flop is null then null when has_erratum then 'erratum'
            when is_reported_hardware_flop then 'hardware_flop' end as reported_unused_reason,
        -- Authors count attention in one of three ways: the one that they name is compared, else the nearest.
        case reported_convention when 'ours' then operation_count_flop when 'full_attention' then full_attention_flop
             when 'no_scores' then no_scores_flop end as named_count_flop
    from comparison where is_own
), logs as (
    select *, ln(operation_count_flop) as count_log, ln(gpu_time_used_flop) as time_log,
        case when reported_unused_reason is null then ln(reported_flop) end as reported_log,
        ln(coalesce(named_count_flop, least(operation_count_flop, full_attention_flop, no_scores_flop))) as least_log,
        ln(coalesce(named_count_flop, greatest(operation_count_flop, full_attention_flop, no_scores_flop))) as most_log,
        case when count_log is null then null when scope <> 'single' then 'several_networks'
             when operation_count_basis = 'derived' then 'from_parameters'
             when operation_count_basis = 'reported' then 'stated_forward'
             when examples_class in ('analysis', 'assumed', 'imputed', 'range', 'table') then 'data_' || examples_class
             when is_examples_inconsistent then 'data_contradict' when examples_class = 'bound' then 'data_bound' end
                 as weak_reason
    from refused
), compared as (
    select *,
        -- How far the authors' total lies from the count, ln: 0 between the conventions, else from the nearest.
        case when reported_log > most_log then reported_log - most_log
             when reported_log < least_log then reported_log - least_log
             when reported_log is not null and count_log is not null then 0 end as reported_distance,
        coalesce(abs(reported_distance) <= ln(reconcile.confirmed_ratio) and reported_method <> 'gpu_time', false)
            as is_confirmed,
        case when independence = 'independent' then time_log - count_log else 0 end as time_gap,
        case when is_confirmed or reported_method = 'gpu_time' then 0 else coalesce(reported_distance, 0) end
            as reported_gap,
        case when dispute_sides_with = 'time' and time_log is not null then 'gpu_time'
             when count_log is not null then 'operation_count'
             when reported_log is not null then 'reported' when time_log is not null then 'gpu_time' end
                 as headline_method,
        case headline_method when 'operation_count' then count_log when 'reported' then reported_log
             when 'gpu_time' then time_log end as middle,
        -- The 90 % interval is never narrower than the range that the record states.
        greatest(uncertainty['weak'], normal_quantile_95() / lomax_reach(0.95) * coalesce(examples_log_sd, 0))
            as weak_half,
        normal_quantile_95() / logistic_reach(0.95) * coalesce(chip_peak_log_sd, 0) as stated_time_half
    from logs cross join constants cross join params
), halves as (
    select *,
        case when is_confirmed then uncertainty['confirmed'] when weak_reason is null then uncertainty['stated']
            else weak_half end as half,
        -- One end of the data is stated: on its own side the count is as sure as if it were the value.
        not is_confirmed and weak_reason = 'data_bound' and has_count_at_most and not has_count_at_least as is_most,
        not is_confirmed and weak_reason = 'data_bound' and has_count_at_least and not has_count_at_most as is_least,
        case headline_method when 'gpu_time' then greatest(uncertainty['gpu_time_up'], stated_time_half)
             when 'reported' then uncertainty['weak']
             when 'operation_count' then case when is_most then uncertainty['stated'] else half end
                 + uncertainty['second_estimate'] * greatest(time_gap, reported_gap, 0) end as up,
        case headline_method when 'gpu_time' then greatest(uncertainty['gpu_time_down'], stated_time_half)
             when 'reported' then uncertainty['weak']
             when 'operation_count' then case when is_least then uncertainty['stated'] else half end
                 + uncertainty['second_estimate'] * greatest(-time_gap, -reported_gap, 0) end as down,
        case when headline_method = 'gpu_time' and count_log is not null then 'operation_count'
             when headline_method <> 'operation_count' then null
             when abs(reported_gap) > greatest(abs(time_gap), ln(reconcile.confirmed_ratio)) then 'reported'
             when abs(time_gap) > ln(reconcile.dispute_ratio) then 'gpu_time'
             when abs(reported_gap) > ln(reconcile.confirmed_ratio) then 'reported' end as named_second,
        reach(headline_method, 0.75) as reach_75, reach(headline_method, 0.9) as reach_90,
        reach(headline_method, 0.95) as reach_95, reach(headline_method, 0.975) as reach_97_5
    from compared
)
select model_id, headline_method,
    case when headline_method is null then null when headline_method <> 'operation_count' then headline_method
         when is_confirmed then 'confirmed' when weak_reason is null then 'stated' else 'weak' end as evidence_class,
    case when headline_method = 'operation_count' and not is_confirmed then weak_reason end as weak_reason,
    case when case headline_method when 'operation_count' then examples_class when 'gpu_time'
        then chip_seconds_class end
             in ('analysis', 'assumed') then 'speculative'
         when headline_method = 'operation_count' and (is_confirmed or weak_reason is null)
             and abs(time_gap) <= ln(reconcile.dispute_ratio) then 'confident'
         when headline_method is not null then 'likely' end as confidence,
    exp(middle) as own_training_flop,
    exp(middle - down * reach_97_5) as own_training_flop_p2_5, exp(middle - down * reach_95) as own_training_flop_low,
    exp(middle - down * reach_90) as own_training_flop_p10, exp(middle - down * reach_75) as own_training_flop_p25,
    exp(middle + up * reach_75) as own_training_flop_p75, exp(middle + up * reach_90) as own_training_flop_p90,
    exp(middle + up * reach_95) as own_training_flop_high, exp(middle + up * reach_97_5) as own_training_flop_p97_5,
    up as up_log, down as down_log, named_second,
    exp(case named_second when 'gpu_time' then time_gap when 'reported' then reported_gap when 'operation_count'
        then count_log - time_log end)
        as gap_ratio, reported_unused_reason,
    case when reported_log is null or count_log is null then null
        when abs(reported_log - count_log) <= ln(reconcile.confirmed_ratio) then 'ours'
         when abs(reported_log - ln(full_attention_flop)) <= ln(reconcile.confirmed_ratio) then 'full_attention'
         when abs(reported_log - ln(no_scores_flop)) <= ln(reconcile.confirmed_ratio) then 'no_scores' end
             as nearest_convention,
    case headline_method when 'operation_count' then has_count_at_least or has_count_at_most when 'gpu_time'
        then is_time_bound
         else false end as is_bound
from halves
