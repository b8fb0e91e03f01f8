-- The ratio of the two methods over all models, and by domain, by year and by whether an input is imputed. Also the
-- ratio of the totals by operations and by GPU time, if one publication states both for a model.
with grouped as (
    select method_ratio, unnest(map_entries(map {'all': 'all', 'domain': domain, 'year': published_year::text,
        'imputed': if(has_imputed_inputs, 'imputed', 'stated')})) as entry
    from method_comparison
), stated as (
    select source, max_by(stated_flop, external_estimate_id) filter (stated_method = 'operation_count') as counted_flop,
        max_by(stated_flop, external_estimate_id) filter (stated_method = 'gpu_time') as timed_flop
    from external_estimates group by source, model_id
), ratios as (
    select entry.key as grouping, entry.value as "group", method_ratio as ratio from grouped
    union all
    select 'published', source, counted_flop / timed_flop from stated
    where counted_flop is not null and timed_flop is not null
)
select grouping, "group", count(*) as models_number,
    exp(list_avg(list(ln(ratio) order by ratio))) as geometric_mean_ratio,
    exp(list_stddev_samp(list(ln(ratio) order by ratio))) as geometric_standard_deviation,
    count(*) filter (abs(ln(ratio)) <= ln(1.7::double)) / count(*) as share_within_1_7_fraction,
    count(*) filter (abs(ln(ratio)) <= ln(2::double)) / count(*) as share_within_2_fraction,
    count(*) filter (abs(ln(ratio)) <= ln(3::double)) / count(*) as share_within_3_fraction
from ratios
group by grouping, "group"
