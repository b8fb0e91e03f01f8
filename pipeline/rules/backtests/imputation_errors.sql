-- Errors of imputed values and coverage of their intervals, by quantity, rule and year. For utilizations, measurements
-- also give the errors of the default, and of the prediction from other sources.
with measured as (
    select b.*, 'utilization_' || utilization_case as quantity,
        ln(b.default_utilization_fraction / b.measured_utilization_fraction) as default_error
    from utilization_backtests b join rated_measurements using (measurement_id, row)
), errors as (
    select quantity, rule, unnest(['all', published_year::text]) as period, log_error, is_in_interval
    from imputation_backtests
    union all
    select m.quantity, 'default_on_measurements', 'all', default_error,
        abs(default_error) <= normal_quantile_95() * log_sd
    from measured m join defaults d on d.quantity = 'utilization' and m.quantity = 'utilization_' || applies_to
    union all
    select quantity, 'like_measurements_on_measurements', 'all',
        ln(utilization_middle_fraction / measured_utilization_fraction),
        measured_utilization_fraction between utilization_low_fraction and utilization_high_fraction
    from measured
)
-- Choose the log standard deviation whose 90 % interval contains 90 % of the errors. A root mean square would be
-- dominated by the few cases whose figures differ in scope, and a median would ignore the tails.
select quantity, rule, period, count(*) as errors_number, median(abs(log_error)) as median_log_error,
    median(log_error) as log_bias, quantile_cont(abs(log_error), 0.9) / normal_quantile_95() as error_log_sd,
    count(*) filter (is_in_interval) / count(*) as share_in_interval_fraction
from errors
group by quantity, rule, period
