-- A 90 % range for each model without an estimate, on each basis with enough known models. Models of the newest year
-- also have a forward range. A base model's floor takes precedence over the other bases, whose ranges are joined.
with offered as (
    select range_basis,
        bool_and(coverage_fraction >= least_range_coverage_fraction()) filter (not is_forwards) as is_offered,
        bool_and(coverage_fraction >= least_range_coverage_fraction()) as is_offered_newest
    from range_backtests group by range_basis
), newest as (select max(published_date) - interval 1 year as newest_year_from from range_cases
), ranges as (
    select i.model_id, i.range_basis, i.low_log + range_low_log(i.range_basis, c.ratio_log) as low_log,
        i.high_log + range_high_log(i.range_basis, c.ratio_log) as high_log
    from range_inputs i join headline_totals h using (model_id) join offered o using (range_basis) cross join newest
    join range_cases c on c.range_basis = i.range_basis
        and coalesce(c.parent_organization <> i.parent_organization, true)
        and is_like_case(i.range_basis, i.published_date, c.published_date)
    where h.training_flop is null
        and case when i.published_date >= newest_year_from then is_offered_newest else is_offered end
    group by i.model_id, i.range_basis, i.low_log, i.high_log
    having count(*) >= least_range_cases()
), first_kind as (
    select * from ranges
    qualify rank() over (partition by model_id order by (range_basis <> 'base_floor')::integer) = 1
)
select model_id, exp(min(low_log)) as range_low_flop, exp(max(high_log)) as range_high_flop,
    case when count(*) = 1 then any_value(range_basis) else 'chips_and_parameters_stated' end as range_basis
from first_kind
group by model_id
