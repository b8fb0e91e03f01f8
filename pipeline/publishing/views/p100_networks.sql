-- Networks of the P100 study: the median of its values by theory, and of measured rows in FP32 and in faster
-- formats; highest first.
select
    network,
    any_value(family) as family,
    median(utilization_fraction) filter (where kind = 'theory') as theory,
    median(utilization_fraction) filter (where kind = 'measured_full') as measured_full,
    count(*) filter (where kind = 'measured_full') as full_rows,
    median(utilization_fraction) filter (where kind = 'measured_fast') as measured_fast,
    count(*) filter (where kind = 'measured_fast') as fast_rows,
    max(utilization_fraction) filter (where kind not like 'measured%') as highest
from p100_values
group by key, network
order by network
