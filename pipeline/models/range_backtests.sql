-- How often ranges on each basis contain known models, if the ranges are made from models of other organizations.
-- Forward ranges are made only from models that are at least a year older.
with directions as (select unnest([false, true]) as is_forwards),
ranges as (
    select known.range_basis, is_forwards, known.model_id, known.training_log,
        known.low_log + range_low_log(known.range_basis, others.ratio_log) as from_log,
        known.high_log + range_high_log(known.range_basis, others.ratio_log) as to_log
    from range_cases known cross join directions join range_cases others on others.range_basis = known.range_basis
        and coalesce(others.parent_organization <> known.parent_organization, true)
        and case when is_forwards then others.published_date <= known.published_date - interval 1 year
                 else is_like_case(known.range_basis, known.published_date, others.published_date) end
    group by known.range_basis, is_forwards, known.model_id, known.training_log, known.low_log, known.high_log
    having count(*) >= least_range_cases()
), joined_ranges as (
    select * from ranges
    union all
    select 'chips_and_parameters_stated' as range_basis, is_forwards, model_id, training_log, min(from_log) as from_log,
        max(to_log) as to_log
    from ranges where range_basis <> 'base_floor'
    group by is_forwards, model_id, training_log
    having count(*) = 2
)
select range_basis, is_forwards, count(*) as models_number,
    count(*) filter (training_log between from_log and to_log) / count(*) as coverage_fraction,
    median((to_log - from_log) / ln(10)) as median_width_decades
from joined_ranges
group by range_basis, is_forwards
