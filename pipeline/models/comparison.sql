-- The two methods compared: their ratio, whether they disagree, whether they are independent, the utilization that the
-- count implies, and the imputed inputs.
select r.*, o.* exclude (model_id, is_own, is_whole), t.* exclude (model_id, is_own, is_whole),
    operation_count_flop / gpu_time_flop as method_ratio,
    case when method_ratio is null then null when is_from_operations then 'circular'
         when shared_input is not null then 'shared_input'
         -- If operations and time are both stated, they imply the utilization. Then a default utilization would not
         -- give a second estimate.
         when examples_class in ('stated_by_user', 'length_assumed', 'part_left_out', 'user_range')
             and chip_seconds_class in ('stated_by_user', 'user_range')
             and utilization_basis not in ('reported', 'analyst') then 'measured'
         else 'independent' end as independence,
    independence <> 'measured'
        and (method_ratio > reconcile.dispute_ratio or method_ratio < 1 / reconcile.dispute_ratio) as is_disputed,
    operation_count_flop / chip_peak_flop as implied_utilization_fraction,
    largest_utilization_fraction(is_convolution, precision) as utilization_ceiling_fraction,
    hardware_basis like 'default%' as is_hardware_imputed,
    gpu_time_informed_flop / chip_peak_flop as utilization_fraction,
    nullif(concat_ws(' + ', case when gpu_time_flop is not null and hardware_basis like 'default%' then 'hardware' end,
        case when gpu_time_flop is not null and precision_basis = 'assumed' then 'precision' end,
        case when examples_seen_basis = 'assumed' then 'epochs' end), '') as imputed_inputs,
    -- The origin of the utilization that the GPU time uses. A stated utilization may itself rest on a count, which
    -- would then be used twice.
    case when gpu_time_flop is null then null
         when utilization_basis in ('reported', 'analyst') and operation_count_flop is null then 'stated'
         when utilization_basis in ('reported', 'analyst') and is_from_parameters then 'stated_beats_two_n'
         when utilization_basis in ('reported', 'analyst') then 'stated_may_rest_on_count'
         -- A user's plan of a language model, as in forecasts (macros_of_forecasts.sql).
         when is_language and chip_seconds_class in ('stated_by_user', 'user_range') then 'plan'
         when utilization_basis = 'calibrated' then 'measured'
         else 'nothing_better' end as gpu_time_used_reason,
    -- Whole runs have lower utilization than single steps, which most measurements time. A utilization stated for the
    -- run already covers the whole run.
    case gpu_time_used_reason when 'stated' then gpu_time_informed_flop
         when 'stated_beats_two_n' then gpu_time_informed_flop
         when 'plan' then gpu_time_flop
         when 'stated_may_rest_on_count' then gpu_time_flop * uncertainty['whole_run']
         else gpu_time_informed_flop * uncertainty['whole_run'] end as gpu_time_used_flop
from record_totals r cross join params cross join constants
left join operation_totals o on o.model_id = r.model_id and o.is_own = r.is_own
left join time_totals t on t.model_id = r.model_id and t.is_own = r.is_own
