-- Why MLPerf submissions have no utilization, most frequent first.
select left_out_reason, count(*) as runs
from rated_runs
where left_out_reason is not null and measurement_id = 'mlperf-training'
group by left_out_reason
order by runs desc, left_out_reason
