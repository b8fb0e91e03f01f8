-- How often a range of each basis holds models that are known, from those of other organizations: as a range is made,
-- and forwards, from models that were a year old.
with directions as (select unnest([false, true]) as is_forwards),
ranges as (
    select known.range_basis, is_forwards, known.model_id,
        known.training_log between known.low_log + range_low_log(known.range_basis, others.ratio_log)
            and known.high_log + range_high_log(known.range_basis, others.ratio_log) as is_held,
        (known.high_log + range_high_log(known.range_basis, others.ratio_log)
            - known.low_log - range_low_log(known.range_basis, others.ratio_log)) / ln(10) as width_decades
    from range_cases known cross join directions join range_cases others on others.range_basis = known.range_basis
        and coalesce(others.parent_organization <> known.parent_organization, true)
        and case when is_forwards then others.published_date <= known.published_date - interval 1 year
                 else is_like_case(known.range_basis, known.published_date, others.published_date) end
    group by known.range_basis, is_forwards, known.model_id, known.training_log, known.low_log, known.high_log
    having count(*) >= least_range_cases()
)
select range_basis, is_forwards, count(*) as models_number, count(*) filter (is_held) / count(*) as coverage_fraction,
    median(width_decades) as median_width_decades
from ranges
group by range_basis, is_forwards
