-- Measured utilization: over all rows, per kind of network, per kind in FP32 (`is_full`) and in faster precisions, and
-- per kind and precision.
select
    network,
    precision,
    precision = 'fp32' as is_full,
    count(*) as rows,
    count(distinct measurement_id) as sources,
    min(measured_utilization_fraction) as low,
    quantile_cont(measured_utilization_fraction, 0.1) as p10,
    median(measured_utilization_fraction) as median,
    quantile_cont(measured_utilization_fraction, 0.9) as p90,
    max(measured_utilization_fraction) as high,
    count(*) filter (where is_within_factor_two) as near,
    any_value(default_utilization_fraction) as default
from measured_rows
group by grouping sets ((), (network), (network, is_full), (network, precision))
order by network, precision, is_full
