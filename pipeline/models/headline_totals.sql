-- The headline of each model including its base models: percentiles of fully correlated parts add (methods, section 5).
with shares as (
    select p.model_id, h.* exclude (model_id),
        -- Only parts of at least a tenth of the total decide its class and confidence, unless all parts are smaller.
        own_training_flop >= least(0.1 * sum(own_training_flop::decimal(38, 0)) over whole,
            max(own_training_flop) over whole)
            as is_large
    from parts p left join headlines h on h.model_id = part_id where is_whole
    window whole as (partition by p.model_id)
), summed as (
    select model_id, count(*) as parts,
        whole_sum(own_training_flop) as training_flop,
        whole_sum(own_training_flop_p2_5) as training_flop_p2_5, whole_sum(own_training_flop_low) as training_flop_low,
        whole_sum(own_training_flop_p10) as training_flop_p10, whole_sum(own_training_flop_p25) as training_flop_p25,
        whole_sum(own_training_flop_p75) as training_flop_p75, whole_sum(own_training_flop_p90) as training_flop_p90,
        whole_sum(own_training_flop_high) as training_flop_high, whole_sum(own_training_flop_p97_5)
            as training_flop_p97_5,
        case when training_flop is null then null when min(headline_method) <> max(headline_method) then 'sum_of_parts'
             else min(headline_method) end as headline_method,
        arg_min(evidence_class, list_position(['gpu_time', 'reported', 'weak', 'stated', 'confirmed'], evidence_class))
            filter (is_large) as evidence_class,
        arg_min(confidence, list_position(['speculative', 'likely', 'confident'], confidence)) filter (is_large)
            as confidence,
        has_any(is_bound) as is_bound,
        any_value(up_log) as up_log, any_value(down_log) as down_log, any_value(lean_log) as lean_log,
        any_value(named_second) as named_second, any_value(gap_ratio) as gap_ratio,
        any_value(weak_reason) as weak_reason
    from shares group by model_id
), shaped as (  -- a sum has the distribution of a count, with the half-widths that follow from its 90 % interval
    select * replace (
        case when parts = 1 then up_log else ln(training_flop_high / training_flop) / lomax_reach(0.95) end as up_log,
        case when parts = 1 then down_log else ln(training_flop / training_flop_low) / lomax_reach(0.95) end
            as down_log,
        case when parts = 1 then coalesce(lean_log, 0) else 0 end as lean_log,
        case when parts = 1 then named_second end as named_second, case when parts = 1 then gap_ratio end as gap_ratio,
        case when parts = 1 then weak_reason end as weak_reason,
        case when training_flop is not null then evidence_class end as evidence_class,
        case when training_flop is not null then confidence end as confidence),
        case when parts = 1 then headline_method else 'sum_of_parts' end as shape
    from summed
)
select * exclude (parts),
    case when training_flop is not null then beyond(shape, ln(2) - lean_log, up_log)
        + beyond(shape, ln(2) + lean_log, down_log) end
        as off_by_two_fraction
from shaped
