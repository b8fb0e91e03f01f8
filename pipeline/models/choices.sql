-- The estimate that is the headline of each model's own training, and the distances (in ln) of the other estimates
-- from it (methods, section 4).
with totals as (
    select *, case when reported_flop is null then null when has_erratum then 'erratum'
            when is_reported_hardware_flop then 'hardware_flop' end as reported_unused_reason,
        -- Authors count attention by one of three conventions. Compare with our count by the convention that they name,
        -- otherwise with the nearest of the three.
        case reported_convention when 'ours' then operation_count_flop when 'full_attention' then full_attention_flop
             when 'no_scores' then no_scores_flop end as named_count_flop,
        -- 6 x parameters x tokens, for a large text transformer whose makers state its size and data.
        is_of_stated_parameters and stated_by is null
            and examples_class in ('exact', 'product', 'stated_by_user', 'user_range') as is_stated_six_nd
    from comparison where is_own
), logs as (
    select *, ln(operation_count_flop) as count_log, ln(gpu_time_used_flop) as time_log,
        case when reported_unused_reason is null then ln(reported_flop) end as reported_log,
        ln(coalesce(named_count_flop, least(operation_count_flop, full_attention_flop, no_scores_flop))) as least_log,
        ln(coalesce(named_count_flop, greatest(operation_count_flop, full_attention_flop, no_scores_flop))) as most_log,
        case when count_log is null then null when scope <> 'single' then 'several_networks'
             when operation_count_basis = 'derived' then 'from_parameters'
             when operation_count_basis = 'reported' and examples_class not in ('stated_by_user', 'user_range')
                 then 'stated_forward'
             when examples_class in ('analysis', 'assumed', 'imputed', 'range', 'table', 'unread')
                 then 'data_' || examples_class
             when is_examples_inconsistent then 'data_contradict' when examples_class = 'bound' then 'data_bound'
             when examples_class in ('length_assumed', 'part_left_out', 'user_range')
                 then examples_class
             when network_evidence = 'unseen' then 'network_unread' end as weak_reason
    from totals
)
select logs.*,
    -- Distance of the authors' total from the count: 0 if it lies between the counts by the three conventions,
    -- otherwise the distance to the nearest of them.
    case when reported_log > most_log then reported_log - most_log
         when reported_log < least_log then reported_log - least_log
         when reported_log is not null and count_log is not null then 0 end as reported_distance,
    -- A total that only outsiders report is a second estimate, but cannot confirm the count.
    coalesce(abs(reported_distance) <= ln(reconcile.confirmed_ratio) and reported_method <> 'gpu_time', false)
        and not coalesce(is_total_of_others, false) as is_confirmed,
    case when independence = 'independent' then time_log - count_log else 0 end as time_gap,
    -- If the GPU time contradicts the count, the stated size or data may be wrong.
    coalesce(is_stated_six_nd and weak_reason = 'from_parameters' and not is_confirmed
        and abs(time_gap) <= ln(reconcile.dispute_ratio), false) as is_six_nd,
    case when is_confirmed or reported_method = 'gpu_time' then 0 else coalesce(reported_distance, 0) end
        as reported_gap,
    case when dispute_sides_with = 'time' and time_log is not null then 'gpu_time'
         when count_log is not null then 'operation_count' when reported_log is not null then 'reported'
         when time_log is not null then 'gpu_time' end as headline_method,
    case headline_method when 'operation_count' then count_log when 'reported' then reported_log
         when 'gpu_time' then time_log end as middle,
    case when headline_method = 'gpu_time' and count_log is not null then 'operation_count'
         when headline_method <> 'operation_count' then null
         when abs(reported_gap) > greatest(abs(time_gap), ln(reconcile.confirmed_ratio)) then 'reported'
         when abs(time_gap) > ln(reconcile.dispute_ratio) then 'gpu_time'
         when abs(reported_gap) > ln(reconcile.confirmed_ratio) then 'reported' end as named_second
from logs cross join params
