-- One network timed by one source (for a table: in one file) on the same chips in the same precision with several batch
-- sizes: the smallest and the largest batch, the utilization with each, and the effect of doubling the batch. MLPerf
-- runs come from several submitters, whose software also differs, so `is_by_one_source` is false. If the operations of
-- a network are not counted, its utilization is null, and its throughput gives the same ratio.
with timed as (
    select measurement_id, architecture_id, c.hardware_id, c.chips, c.precision, '' as way, m.batch,
        measured_utilization_fraction as utilization, utilization as rate
    from checks c join measurements m using (measurement_id, row)
    union all
    select measurement_id, architecture_id, hardware_id, chips, precision,
        if(measurement_id = 'mlperf-training', task, concat_ws(' ', task, place)), batch,
        measured_utilization_fraction, measured_utilization_fraction
    from rated_runs
    where left_out_reason is null
    union all
    select measurement_id, task, hardware_id, chips, precision, place, batch, null, examples_seen / run_seconds
    from benchmark_runs
    where measurement_id = 'deep-learning-examples' and not_counted_reason is not null and task <> 'other'
    union all
    select measurement_id, parsed.network, hardware_id, 1, precision, parsed.way, parsed.batch::double,
        utilization, utilization
    from (
        select measurement_id, hardware_id, precision, stated_utilization_fraction as utilization,
            regexp_extract(row, '^(.+)-(\d+)-(theory)$', ['network', 'batch', 'way']) as parsed
        from reported_utilizations
        where measurement_id = 'p100-study'
    )
    where parsed.network <> ''
), by_batch as (
    select measurement_id, architecture_id, hardware_id, chips, precision, way, batch,
        median(utilization) as utilization, median(rate) as rate
    from timed
    where batch is not null and rate is not null
    group by all
)
select measurement_id, measurement_id <> 'mlperf-training' as is_by_one_source,
    regexp_extract(architecture_id, '[^/]*$') as architecture, hardware_id, chips, precision, way,
    min(batch) as small_batch, max(batch) as large_batch,
    arg_min(utilization, batch) as small_batch_utilization, arg_max(utilization, batch) as large_batch_utilization,
    (arg_max(rate, batch) / arg_min(rate, batch)) ** (1 / log2(large_batch / small_batch)) as doubling_ratio
from by_batch
group by measurement_id, architecture_id, hardware_id, chips, precision, way
having max(batch) >= 1.5 * min(batch)  -- for closer batches, a high power would magnify other causes
order by measurement_id, architecture, hardware_id, chips, precision, way
