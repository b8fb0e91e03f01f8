-- Phases with the number of examples seen: from epochs, otherwise from steps, otherwise from one assumed pass over text
-- (methods, section 3).
with products as (
    select runs.*, examples * epochs as by_epochs, steps * batch as by_steps, coalesce(by_epochs, by_steps)
        as by_either,
        -- Most text is seen once. Images and sound are seen many times, so the assumption of one epoch could be wrong
        -- by a factor of 100.
        by_either is null and utilization_case = 'text' and examples is not null as is_one_pass,
        -- If no epochs are stated, derive them from the steps. If this gives less than one epoch, the batch is in
        -- another unit.
        coalesce(by_epochs, case when examples > by_steps then examples end) / by_steps as products_ratio
    from runs
), known as (  -- how well the product in use is known; a bound is treated as a value
    select *, by_epochs is null and by_steps is not null as is_by_steps,
        case when is_one_pass then 'imputed' when is_by_steps then steps_class when by_epochs is not null
            then examples_class end as class,
        case when is_by_steps then steps_range_log_sd else examples_range_log_sd end as range_log_sd,
        case when is_by_steps then steps_bound else examples_bound end as bound,
        coalesce(by_either, case when is_one_pass
            then examples * if(published_year >= impute.one_pass_first_year, 1, impute.early_passes) end) as seen,
        -- Ranges, assumptions, analysts' figures and assumed epochs have their own widths; stated figures have none.
        case when is_one_pass then case when published_year >= impute.one_pass_first_year then 'epochs_assumed'
            else 'epochs_assumed_early' end end as assumed_passes
    from products cross join params
)
select model_id, phase, architecture_id, utilization_case, example_unit,
    seen as examples_seen,
    case when class = 'analysis' then 'analyst' when by_either is not null then 'reported'
         when is_one_pass then 'assumed' end
        as examples_seen_basis,
    -- If the sequence length is a range that is wider than the error of a stated count, the examples are a range too.
    case when class in ('exact', 'product')
             and lengths_log_sd * normal_quantile_95() > uncertainty['stated'] * lomax_reach(0.95) then 'range'
         when class = 'stated_by_user' and lengths_log_sd > 0 then 'user_range'
         else class end as examples_class,
    case when seen is not null then (
        coalesce(spread[assumed_passes], case when class = 'analysis' then uncertainty_spread['analysis'] end, 0) ** 2
        + coalesce(range_log_sd, 0) ** 2 + coalesce(lengths_log_sd, 0) ** 2) ** 0.5 end as examples_log_sd,
    case when seen is not null then bound end as examples_bound,
    abs(ln(products_ratio)) > ln(impute.examples_tolerance) + coalesce(range_log_sd, 0) * normal_quantile_95()
        as is_examples_inconsistent,
    architecture_passes_per_example, active_parameters, allows_2n_rule, stated_forward_flop, is_stated_in_multiply_adds,
        connections,
    is_forward_only, has_frozen_weights, stated_utilization_fraction, stated_utilization_basis
from known cross join constants
