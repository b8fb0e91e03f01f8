-- Node power divided by the thermal design power of the node's chips, for MLPerf submissions that log power.
select h.name as chip, hardware_id, count(*) as runs, count(distinct submitter) as submitters,
    min(chip_load_ratio) as lowest, median(chip_load_ratio) as median, max(chip_load_ratio) as highest
from rated_runs join hardware h using (hardware_id)
where chip_load_ratio is not null and measurement_id = 'mlperf-training'
group by chip, hardware_id
order by chip
