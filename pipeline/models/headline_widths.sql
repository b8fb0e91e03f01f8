-- The half-widths of the error of each model's own headline, up and down, and the scale of its percentiles. A second
-- estimate can only widen them (methods, section 4).
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
             -- Counts of networks that nobody read are off by more than 2x no more often than counts of quoted ones.
             when weak_reason is null or weak_reason = 'network_unread' or is_six_nd then uncertainty['stated']
             -- The interval reaches up to the whole network, if the size of the part that is left out is known.
             when weak_reason = 'part_left_out' and data_half > 0 then greatest(uncertainty['stated'], data_half)
             else weak_half end as half,
        -- If the data are "at most" a number, the upper error is as for stated data; if "at least", the lower one.
        not is_confirmed and examples_class = 'bound' and scope = 'single' as is_bounded,
        is_bounded and has_count_at_most and not has_count_at_least as is_data_at_most,
        is_bounded and has_count_at_least and not has_count_at_most or weak_reason = 'part_left_out'
            as is_data_at_least,
        -- A count of data that are "at most" a number is an upper bound: the headline is the middle of its interval.
        middle + case when headline_method = 'operation_count' and is_data_at_most
            then (uncertainty['stated'] - half) / 2 * lomax_reach(0.95) else 0 end as headline_log,
        -- A count of 6 x parameters x tokens omits operations, so it is more often below the truth than above it.
        case when headline_method = 'operation_count' and is_six_nd then ln(uncertainty['beyond_six_nd']) else 0 end
            as lean_log, headline_log + lean_log as centre
    from choices cross join constants
)
select *, case when is_data_at_most then (uncertainty['stated'] + half) / 2 else half end as around,
    case headline_method when 'gpu_time' then coalesce(stated_time_half,
             greatest((uncertainty['gpu_time_up'] ** 2 + user_time_half ** 2) ** 0.5, time_half))
         when 'reported' then uncertainty['weak']
         when 'operation_count' then around
             + uncertainty['second_estimate'] * greatest(time_gap, reported_gap, 0) end as up,
    case headline_method when 'gpu_time' then coalesce(stated_time_half,
             greatest((uncertainty['gpu_time_down'] ** 2 + user_time_half ** 2) ** 0.5, time_half))
         when 'reported' then uncertainty['weak']
         when 'operation_count' then case when is_data_at_least then uncertainty['stated'] else around end
             + uncertainty['second_estimate'] * greatest(-time_gap, -reported_gap, 0) end as down,
    reach(headline_method, 0.75) as reach_75, reach(headline_method, 0.9) as reach_90,
    reach(headline_method, 0.95) as reach_95, reach(headline_method, 0.975) as reach_97_5
from widths
