-- Known chips, precisions, utilizations and epochs, each with the value that the rules impute if it is hidden. Chip
-- counts and times are never imputed. A rule uses only a row, its model and its year, so we can hide a fact in all
-- rows at once.
with hardware as (  -- allocations with a known chip and a stated or inferred precision
    select known.model_id, known.phase, known.allocation, published_year, peak_flop_per_second as known_value,
        case when filled.hardware_basis = 'default_maker' then 'peak_of_maker'
            else 'peak_by_year' || if(filled.precision_rule = 'stated', '', '_' || filled.precision_rule) end
            as quantity,
        filled.default_peak_flop_per_second as filled_value,
        if(filled.precision in ('fp16', 'bf16', 'fp8', 'fp4'), '16bit', 'fp32') as applies_to,
        (filled.default_peak_log_sd ** 2
         + if(filled.precision_basis = 'assumed', spread['precision_' || filled.precision_rule], 0) ** 2) ** 0.5
            as log_sd
    from completed_allocations known join peaks using (hardware_id, precision) join runs using (model_id, phase)
    join without_chip filled using (model_id, phase, allocation) cross join constants
    where known.precision_basis <> 'assumed' and filled_value is not null
), of_others as (  -- chips of other models from the same year
    select h.* exclude (filled_value), c.hardware_id, c.model_id as other_id, peak_flop_per_second as peak,
        count(*) over (partition by h.model_id, h.phase, h.allocation, c.hardware_id, peak) as models
    from hardware h join model_chips c using (published_year, applies_to) where c.model_id <> h.model_id
), by_others as (
    select * exclude (hardware_id, other_id, peak, models),
        exp(list_avg(list(ln(peak) order by other_id, hardware_id))) as mean_peak,
        first(peak order by models desc, hardware_id, peak) as common_peak
    from of_others group by all
), precisions as (
    select known.model_id, known.phase, known.allocation, published_year, stated.peak_flop_per_second as known_value,
        inferred.peak_flop_per_second as filled_value, filled.precision_rule as rule,
        if(filled.precision_basis = 'assumed', spread['precision_' || rule], 0) as log_sd
    from completed_allocations known
    join peaks stated on stated.hardware_id = known.hardware_id and stated.precision = known.precision
    join runs using (model_id, phase) join without_precision filled using (model_id, phase, allocation)
    join peaks inferred on inferred.hardware_id = filled.hardware_id and inferred.precision = filled.precision
    cross join constants
    where known.precision_rule = 'stated'
), utilizations_stated as (
    select model_id, phase, published_year, 'utilization_' || utilization_case as quantity, utilization_case,
        stated_utilization_fraction as known_value
    from runs where stated_utilization_basis = 'reported'
), passes as (
    select model_id, phase, published_year, examples * epochs as known_value from runs where known_value is not null
), all_hidden as (
    select *, 'year_default' as rule from hardware
    union all by name select *, 'year_mean_of_ledger' as rule, mean_peak as filled_value from by_others
    union all by name select *, 'year_most_common_of_ledger' as rule, common_peak as filled_value from by_others
    union all by name select *, 'precision' as quantity from precisions
    union all by name select u.*, 'default' as rule, default_value as filled_value, log_sd from utilizations_stated u
        join defaults d on d.quantity = 'utilization' and applies_to = utilization_case
    union all by name select u.*, allocation, 'like_measurements' as rule,
        utilization_middle_fraction as filled_value, utilization_log_sd as log_sd
        from utilizations_stated u join utilizations using (model_id, phase)
    union all by name select passes.*, 'one_pass' as rule, examples_seen as filled_value, examples_log_sd as log_sd,
        'epochs_assumed' || if(published_year >= impute.one_pass_first_year, '', '_early') as quantity
    from passes join without_epochs_and_steps using (model_id, phase) cross join params where filled_value is not null
)
select *, low(filled_value, log_sd) as filled_low, high(filled_value, log_sd) as filled_high from all_hidden
union all by name
select passes.*, 'examples_product' as quantity, 'steps_x_batch' as rule, examples_seen as filled_value,
    filled_value * exp(-uncertainty['stated'] * lomax_reach(0.95::double)) as filled_low,
    filled_value * exp(uncertainty['stated'] * lomax_reach(0.95::double)) as filled_high
from passes join without_epochs_and_examples using (model_id, phase) cross join constants
where filled_value is not null
