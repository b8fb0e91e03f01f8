-- Groups of measured rows: the share near each default in use, in ascending order, and the default that two thirds of
-- the rows are near.
with values_in_use as (
    select distinct default_value, "check".near_ratio from defaults cross join params where quantity = 'utilization'
), shares as (
    select
        c.network, c.precision, c.generation, default_value, near_ratio,
        avg((measured_utilization_fraction between default_value / near_ratio and default_value * near_ratio)::int)
            as share
    from utilization_cells c
    cross join values_in_use
    left join measured_rows m using (network, precision, generation)
    group by all
), judged as (
    select
        network, precision, generation,
        list(share order by default_value) as shares,
        string_agg(default_value::varchar, ' or ' order by default_value) filter (where share >= 2 / 3) as right_values,
        min(default_value) / sqrt(any_value(near_ratio)) as low,
        max(default_value) * sqrt(any_value(near_ratio)) as high
    from shares
    group by network, precision, generation
)
select
    c.*,
    shares,
    case
        when right_values is not null then right_values
        when utilization_median_fraction < low then 'neither: lower'
        when utilization_median_fraction > high then 'neither: higher'
        else 'neither: scattered'
    end as verdict
from utilization_cells c join judged using (network, precision, generation)
order by network, precision, generation
