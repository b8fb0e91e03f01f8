-- Why submissions to benchmarks have no utilization, the commonest first.
select left_out_reason, count(*) as runs
from rated_runs
where left_out_reason is not null
group by left_out_reason
order by runs desc, left_out_reason
