-- Why the two methods disagree about a model: the cause that its record states, otherwise the first rule that applies
-- (methods, section 4). Also the numbers that the sentence about the dispute uses.
with disputed as (
    select c.*, dispute_stated_cause, dispute_reason, is_search_counted, uncertainty,
        gpu_time_flop / chip_peak_flop as default_utilization_fraction,
        -- The count / the GPU time at the utilization of similar runs, and the same ratio at the chips' alternative
        -- precision.
        operation_count_flop / gpu_time_used_flop as ratio_at_predicted,
        ratio_at_predicted / format_ratio as ratio_at_other_format,
        -- The factor by which an input must be wrong to bring the two methods within the dispute ratio.
        greatest(method_ratio, 1 / method_ratio) / reconcile.dispute_ratio as needed_ratio,
        -- The possible error of the data: the stated width, but for bounds, tables and contradictions at least the
        -- error of a weak count.
        greatest(exp(normal_quantile_95() * examples_log_sd),
            case when examples_class in ('bound', 'table', 'unread') or is_examples_inconsistent
                then exp(lomax_reach(0.95) * uncertainty['weak']) end) as data_reach_ratio,
        coalesce(examples_class not in ('exact', 'product', 'stated_by_user') or is_examples_inconsistent, false)
            as is_data_open,
        coalesce(utilization_basis = 'calibrated', false) as is_measured,
        -- The utilization that similar whole runs reach, which is lower than the utilization of single steps.
        utilization_low_fraction * uncertainty['whole_run'] as like_low_fraction,
        utilization_high_fraction * uncertainty['whole_run'] as like_high_fraction,
        1 / reconcile.dispute_ratio as least_ratio, reconcile.dispute_ratio as most_ratio
    from comparison c join models m using (model_id) cross join constants cross join params
    where is_whole and is_disputed
)
select model_id, coalesce(dispute_stated_cause,
        case when is_measured and method_ratio < 1 and not is_from_parameters
                 and implied_utilization_fraction between like_low_fraction and like_high_fraction
                 and like_high_fraction < 20 * like_low_fraction
                     then 'slow_as_like_runs'
             when method_ratio < 1 and (is_from_parameters or scope = 'search' and not is_search_counted)
                 then 'network_or_scope'
             when is_hardware_imputed or precision_basis = 'assumed' and ratio_at_other_format between least_ratio
                 and most_ratio
                 then 'machine'
             when is_data_open and data_reach_ratio >= needed_ratio then 'data'
             when method_ratio > 1 then 'too_fast'
             when implied_utilization_fraction >= 0.01 and not is_data_open then 'slow_unlike_others'
             else 'unexplained' end) as dispute_cause,
    dispute_stated_cause is not null as is_cause_stated, dispute_reason,
    method_ratio, implied_utilization_fraction, default_utilization_fraction, is_measured,
    like_low_fraction, like_high_fraction, ratio_at_predicted, ratio_at_other_format, is_hardware_imputed,
    is_from_parameters, scope, examples_class, is_examples_inconsistent, data_reach_ratio, needed_ratio
from disputed
