-- One row: how many MLPerf submissions there are, how many have a utilization, how many submitters there are, and the
-- typical difference between repeats.
select
    count(*) as runs,
    count(*) filter (where left_out_reason is null) as rated,
    count(distinct submitter) as submitters,
    exp(median(repeats_log_sd) filter (where left_out_reason is null)) - 1 as repeats_fraction
from rated_runs
where measurement_id = 'mlperf-training'
