-- The headline of each model including its base models: percentiles of fully correlated parts add (methods, section 5).
-- If a part is not known, there is no headline, and the low ends of the known parts are a lower bound. A total that
-- leaves out a network that may exceed a tenth of it is a bound.
with sized as (
    select *,
        -- Only parts of at least a tenth of the total decide its class and confidence, or the largest that has a class.
        flop >= least(0.1 * sum(flop::decimal(38, 0)) over whole,
            max(flop) filter (evidence_class is not null) over whole) as is_large
    from total_parts window whole as (partition by model_id)
), summed as (
    select model_id, count(*) as parts,
        whole_sum(columns('^flop.*')) as 'training_\0',
        case when training_flop is null then nullif(known_sum(if(is_floor, flop_low, null)), 0) end
            as training_flop_at_least,
        case when training_flop is null then null when min(headline_method) <> max(headline_method) then 'sum_of_parts'
             else min(headline_method) end as headline_method,
        bool_or(is_imputed) as is_own_imputed, bool_or(is_in_share) as is_own_in_share,
        bool_or(is_assumed) as is_base_assumed, is_own_imputed or is_own_in_share or is_base_assumed as has_guess,
        arg_min(evidence_class, list_position(['gpu_time', 'reported', 'weak', 'stated', 'confirmed'], evidence_class))
            filter (is_large) as evidence_class,
        bool_or(is_hearsay) filter (is_large) as is_hearsay, bool_and(is_sound) filter (is_large) as is_sound,
        coalesce(any_value(omitted_flop) > 0.1 * training_flop, false) as omits_network,
        has_any(is_bound) or omits_network as is_bound,
        any_value(up_log) as up_log, any_value(down_log) as down_log, any_value(lean_log) as lean_log,
        any_value(named_second) as named_second, any_value(gap_ratio) as gap_ratio,
        any_value(weak_reason) as weak_reason
    from sized left join omitted_networks using (model_id) group by model_id
), shaped as (  -- a sum has the distribution of a count, with the half-widths that follow from its 90 % interval
    select * replace (
        case when parts = 1 then up_log else ln(training_flop_high / training_flop) / lomax_reach(0.95) end as up_log,
        case when parts = 1 then down_log else ln(training_flop / training_flop_low) / lomax_reach(0.95) end
            as down_log,
        case when parts = 1 then coalesce(lean_log, 0) else 0 end as lean_log,
        case when parts = 1 then named_second end as named_second, case when parts = 1 then gap_ratio end as gap_ratio,
        case when parts = 1 then weak_reason end as weak_reason,
        case when training_flop is null then null
             when has_guess and evidence_class in ('stated', 'confirmed') then 'weak' else evidence_class end
            as evidence_class),
        case when parts = 1 then headline_method else 'sum_of_parts' end as shape
    from summed
)
select * exclude (parts, has_guess, is_hearsay, is_sound),
    case when training_flop is not null then beyond(shape, ln(2) - lean_log, up_log)
        + beyond(shape, ln(2) + lean_log, down_log) end
        as off_by_two_fraction,
    case when training_flop is null then null when is_hearsay then 'speculative'
         when is_sound and has_guess is not true and off_by_two_fraction <= reconcile.confident_off_by_two
             then 'confident'
         when off_by_two_fraction <= reconcile.rough_off_by_two then 'rough' else 'order_of_magnitude' end as confidence
from shaped cross join params
