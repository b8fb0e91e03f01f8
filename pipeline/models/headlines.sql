-- The headline of each model's own training, the evidence behind it and its percentiles (methods, section 4).
select model_id, headline_method,
    case when headline_method is null then null when headline_method <> 'operation_count' then headline_method
         when is_confirmed then 'confirmed' when weak_reason is null then 'stated' else 'weak' end as evidence_class,
    case when headline_method = 'operation_count' and not is_confirmed then weak_reason end as weak_reason,
    coalesce(case headline_method when 'operation_count' then examples_class when 'gpu_time' then chip_seconds_class end
        = 'analysis', false) as is_hearsay,
    -- Confident is only a count of stated or confirmed inputs that no second estimate contradicts.
    coalesce(headline_method = 'operation_count' and (is_confirmed or weak_reason is null) and stated_by is null
        and is_disputed is not true
        and greatest(abs(time_gap), abs(reported_gap)) <= ln(reconcile.dispute_ratio), false) as is_sound,
    exp(headline_log) as own_training_flop,
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
from headline_widths cross join params
