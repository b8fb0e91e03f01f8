-- One row: the defaults as maps from case to value, so that spread['epochs_assumed'] reads like the record. If no
-- record states a default that a rule looks up, the query fails and names it, so that no rule computes with a null.
with missing as (
    select string_agg(quantity || ' for ' || applies_to, ', ' order by quantity, applies_to) as pairs
    from (values ('backward_ratio', 'all'), ('chip_load', 'gpu'), ('chip_load', 'tpu'), ('spread', 'epochs_assumed'),
        ('spread', 'epochs_assumed_early'), ('spread', 'precision_before_sixteen_bit'),
            ('spread', 'precision_best_sixteen_bit'),
        ('spread', 'precision_large_industry_run'), ('uncertainty', 'confirmed'), ('uncertainty', 'stated'),
            ('uncertainty', 'weak'), ('uncertainty', 'beyond_six_nd'),
        ('uncertainty', 'whole_run'), ('uncertainty', 'gpu_time_up'), ('uncertainty', 'gpu_time_down'),
        ('uncertainty', 'second_estimate'), ('uncertainty_spread', 'analysis'), ('utilization', 'convolution'),
        ('utilization', 'other'), ('utilization', 'text')
    ) required(quantity, applies_to)
    anti join defaults using (quantity, applies_to)
)
select
    case when any_value(pairs) is not null then error('data/records/defaults: states no ' || any_value(pairs)) end
        as mistake,
    map_from_entries(list((applies_to, default_value) order by applies_to) filter (quantity = 'backward_ratio'))
        as backward_ratio,
    map_from_entries(list((applies_to, log_sd) order by applies_to) filter (quantity = 'spread')) as spread,
    map_from_entries(list((applies_to, default_value) order by applies_to) filter (quantity = 'uncertainty'))
        as uncertainty,
    map_from_entries(list((applies_to, log_sd) order by applies_to) filter (quantity = 'uncertainty_spread'))
        as uncertainty_spread
from defaults cross join missing
