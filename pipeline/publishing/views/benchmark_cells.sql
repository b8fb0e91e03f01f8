-- MLPerf submissions with a utilization, per benchmark, chip and precision: how many there are, the median, the spread
-- and the best run.
select
    task,
    h.name as chip,
    hardware_id,
    precision,
    count(*) as runs,
    count(distinct submitter) as submitters,
    min(chips) as fewest_chips,
    max(chips) as most_chips,
    quantile_cont(measured_utilization_fraction, 0.1) as p10,
    median(measured_utilization_fraction) as median,
    quantile_cont(measured_utilization_fraction, 0.9) as p90,
    max(measured_utilization_fraction) as best,
    arg_max({'submitter': submitter, 'chips': chips, 'place': place}, measured_utilization_fraction) as best_run
from rated_runs join hardware h using (hardware_id)
where left_out_reason is null and measurement_id = 'mlperf-training'
group by task, chip, hardware_id, precision
order by task, chip, precision
