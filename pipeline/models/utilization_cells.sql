-- Measured training by network family, precision and chip generation, with the errors of the default utilization and of
-- predictions from other sources.
select c.network, c.precision, generation, count(*) as rows, count(distinct measurement_source) as sources_number,
    min(c.default_utilization_fraction) as default_utilization_fraction,
    quantile_cont(c.measured_utilization_fraction, 0.1) as utilization_p10_fraction,
    median(c.measured_utilization_fraction) as utilization_median_fraction,
    quantile_cont(c.measured_utilization_fraction, 0.9) as utilization_p90_fraction,
    count(*) filter (is_within_factor_two) / count(*) as share_within_factor_two_fraction,
    median(abs(ln(c.measured_utilization_fraction / c.default_utilization_fraction))) as default_log_error,
    median(abs(ln(c.measured_utilization_fraction / utilization_middle_fraction))) as predicted_log_error
from checks c join rated_measurements r using (measurement_id, row)
left join (from utilization_backtests select measurement_id, row, utilization_middle_fraction)
    using (measurement_id, row)
where generation is not null
group by c.network, c.precision, generation
