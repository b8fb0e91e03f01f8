-- The headline of each model's own training and its error, which a second estimate can only widen (methods, section 4).
with widths as (
    select *,
        -- A half is the scale of one side's error in ln (macros.sql, reach). Its 90 % interval covers the stated range.
        normal_quantile_95() / lomax_reach(0.95) * coalesce(examples_log_sd, 0) as data_half,
        greatest(uncertainty['weak'], data_half) as weak_half,
        normal_quantile_95() / logistic_reach(0.95) * coalesce(chip_peak_log_sd, 0) as time_half,
        -- A utilization that a user states comes from a count, and has its error and the width of its own range.
        ((uncertainty['stated'] * lomax_reach(0.95) / logistic_reach(0.95)) ** 2 + time_half ** 2
            + (normal_quantile_95() / logistic_reach(0.95) * stated_utilization_log_sd) ** 2) ** 0.5
            as stated_time_half,
        case chip_seconds_class when 'user_range' then time_half else 0 end as user_time_half,
        case when is_confirmed then uncertainty['confirmed']
             when weak_reason in ('length_assumed', 'user_range') or is_six_nd and examples_class = 'user_range'
                 then (uncertainty['stated'] ** 2 + data_half ** 2) ** 0.5
             when weak_reason is null or is_six_nd then uncertainty['stated']
             -- The interval reaches up to the whole network, if the size of the part that is left out is known.
             when weak_reason = 'part_left_out' and data_half > 0 then greatest(uncertainty['stated'], data_half)
             else weak_half end as half,
        -- A count of 6 x parameters x tokens omits operations, so it is more often below the truth than above it.
        case when headline_method = 'operation_count' and is_six_nd then ln(uncertainty['beyond_six_nd']) else 0 end
            as lean_log, middle + lean_log as centre,
        -- If the data are "at most" a number, the upper error is as for stated data; if "at least", the lower one.
        not is_confirmed and examples_class = 'bound' and scope = 'single' as is_bounded,
        is_bounded and has_count_at_most and not has_count_at_least as is_data_at_most,
        is_bounded and has_count_at_least and not has_count_at_most or weak_reason = 'part_left_out' as is_data_at_least
    from choices cross join constants
), halves as (
    select *,
        case headline_method when 'gpu_time' then coalesce(stated_time_half,
                 greatest((uncertainty['gpu_time_up'] ** 2 + user_time_half ** 2) ** 0.5, time_half))
             when 'reported' then uncertainty['weak']
             when 'operation_count' then case when is_data_at_most then uncertainty['stated'] else half end
                 + uncertainty['second_estimate'] * greatest(time_gap, reported_gap, 0) end as up,
        case headline_method when 'gpu_time' then coalesce(stated_time_half,
                 greatest((uncertainty['gpu_time_down'] ** 2 + user_time_half ** 2) ** 0.5, time_half))
             when 'reported' then uncertainty['weak']
             when 'operation_count' then case when is_data_at_least then uncertainty['stated'] else half end
                 + uncertainty['second_estimate'] * greatest(-time_gap, -reported_gap, 0) end as down,
        reach(headline_method, 0.75) as reach_75, reach(headline_method, 0.9) as reach_90,
        reach(headline_method, 0.95) as reach_95, reach(headline_method, 0.975) as reach_97_5
    from widths
)
select model_id, headline_method,
    case when headline_method is null then null when headline_method <> 'operation_count' then headline_method
         when is_confirmed then 'confirmed' when weak_reason is null then 'stated' else 'weak' end as evidence_class,
    case when headline_method = 'operation_count' and not is_confirmed then weak_reason end as weak_reason,
    case when case headline_method when 'operation_count' then examples_class
             when 'gpu_time' then chip_seconds_class end
             in ('analysis', 'assumed') then 'speculative'
         when headline_method = 'operation_count' and (is_confirmed or weak_reason is null) and stated_by is null
             and abs(time_gap) <= ln(reconcile.dispute_ratio) then 'confident'
         when headline_method is not null then 'likely' end as confidence,
    exp(middle) as own_training_flop,
    exp(centre - down * reach_97_5) as own_training_flop_p2_5, exp(centre - down * reach_95) as own_training_flop_low,
    exp(centre - down * reach_90) as own_training_flop_p10, exp(centre - down * reach_75) as own_training_flop_p25,
    exp(centre + up * reach_75) as own_training_flop_p75, exp(centre + up * reach_90) as own_training_flop_p90,
    exp(centre + up * reach_95) as own_training_flop_high, exp(centre + up * reach_97_5) as own_training_flop_p97_5,
    up as up_log, down as down_log, lean_log, named_second,
    exp(case named_second when 'gpu_time' then time_gap when 'reported' then reported_gap
             when 'operation_count' then count_log - time_log end) as gap_ratio,
    reported_unused_reason,
    case when reported_log is null or count_log is null then null
         when abs(reported_log - count_log) <= ln(reconcile.confirmed_ratio) then 'ours'
         when abs(reported_log - ln(full_attention_flop)) <= ln(reconcile.confirmed_ratio) then 'full_attention'
         when abs(reported_log - ln(no_scores_flop)) <= ln(reconcile.confirmed_ratio) then 'no_scores' end
        as nearest_convention,
    case headline_method when 'operation_count' then has_count_at_least or has_count_at_most
             or coalesce(weak_reason = 'part_left_out', false)
         when 'gpu_time' then is_time_bound else false end as is_bound
from halves cross join params
