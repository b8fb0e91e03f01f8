-- Pairs of figures for the same quantity: counted and stated, ours and external, or one from each method.
with networks as (
    select r.*, c.forward_flop * architecture_passes_per_example as counted_forward,
        (c.forward_flop + c.backward_flop) * architecture_passes_per_example as counted_flop,
        c.active_parameters as counted_parameters
    from runs r join operation_counts c using (architecture_id)
), reported as (  -- totals that include recomputation are a different quantity
    select model_id, published_year, 'reported_' || reported_method as quantity, 'counted' as rule,
        operation_count_flop as known_value, e.reported_flop as filled_value
    from estimates e join models using (model_id) where not is_reported_hardware_flop
), machines as (
    select model_id, bool_and(hardware_basis = 'reported' and precision_basis <> 'assumed') as is_machine_known,
        bool_or(is_from_operations or utilization_basis = 'reported') as is_derived
    from gpu_time_estimates group by model_id
), methods as (  -- models without a base model whose utilization and chip time are not derived from operations
    select r.model_id, published_year, r.operation_count_flop, gpu_time_informed_flop, chip_peak_flop,
        r.operation_count_basis = 'counted' and r.examples_class = 'exact' and is_machine_known as is_certain,
        (select arg_min(o.utilization_case, o.phase) from operation_estimates o where o.model_id = r.model_id)
            as utilization_case
    from reconciliations r join models using (model_id) join machines using (model_id)
    where base_model is null and not is_derived and chip_peak_flop is not null
), others as (  -- totals beyond 2x cover other training or are wrong, so they test only the intervals
    select s.model_id, published_year, 'external_estimates.' || s.external_estimate_id as place, e.headline_method,
        stated_flop as known_value, e.training_flop, e.training_flop_low, e.training_flop_high,
        if(e.base_model is null and outcome = 'agrees', r.operation_count_flop, null) as operation_count_flop,
        r.examples_class
    from external_estimates s join estimates e using (model_id) join models using (model_id)
    join reconciliations r using (model_id)
    where e.training_flop is not null and outcome not in ('refuted', 'other_scope')
        and external_estimate_id <> 'epoch-blind'
), counts as (  -- `width` is the error that we assume for counts from stated inputs or from weaker ones
    select model_id, phase, published_year, 'derived' as quantity, 'two_a_parameter' as rule,
        counted_flop as known_value, 2 * active_parameters * (1 + backward_ratio['all']) as filled_value,
        'weak' as width
    from networks cross join constants
    where network = 'language_transformer' and example_unit in ('token', 'word') and not is_forward_only
        and not has_frozen_weights  -- each parameter is used once, so counted and stated parameters agree
        and active_parameters between counted_parameters / 1.1::double and counted_parameters * 1.1::double
    union all by name select model_id, phase, published_year, 'reported_forward' as quantity, 'counted' as rule,
        counted_forward as known_value, stated_forward_flop as filled_value, 'weak' as width from networks
    union all by name select *, 'weak' as width from reported
    union all by name select model_id, published_year, place, 'examples_' || examples_class as quantity,
        'agreeing_statement' as rule, known_value, operation_count_flop as filled_value,
        if(examples_class in ('exact', 'product', 'stated_by_user'), 'stated', 'weak') as width from others
)
select counts.* exclude (width), filled_value * exp(-uncertainty[width] * lomax_reach(0.95::double)) as filled_low,
    filled_value * exp(uncertainty[width] * lomax_reach(0.95::double)) as filled_high
from counts cross join constants where known_value is not null and filled_value is not null
union all by name
select model_id, published_year, 'operation_count_flop' as quantity, 'gpu_time_used' as rule,
    operation_count_flop as known_value, gpu_time_informed_flop * uncertainty['whole_run'] as filled_value,
    filled_value * exp(-uncertainty['gpu_time_down'] * logistic_reach(0.95::double)) as filled_low,
    filled_value * exp(uncertainty['gpu_time_up'] * logistic_reach(0.95::double)) as filled_high
from methods cross join constants where known_value is not null
union all by name
select model_id, published_year, 'utilization_' || utilization_case as quantity, 'default_on_counted_runs' as rule,
    operation_count_flop / chip_peak_flop as known_value, default_value as filled_value,
    low(filled_value, log_sd) as filled_low, high(filled_value, log_sd) as filled_high
from methods join defaults d on d.quantity = 'utilization' and applies_to = utilization_case where is_certain
union all by name
select model_id, published_year, place, 'training_flop' as quantity, headline_method as rule, known_value,
    training_flop as filled_value, training_flop_low as filled_low, training_flop_high as filled_high from others
