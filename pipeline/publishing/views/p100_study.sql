-- The P100 study's four utilizations of each network and batch, next to our counts of the same network (for 10 classes,
-- as we measured them on an H100) and its utilization in FP32 there.
with study as (
    select regexp_extract(row, '^(.+)-(\d+)-(theory|one|batch|epoch)$', ['name', 'batch', 'way']) as parsed,
        stated_utilization_fraction as utilization
    from reported_utilizations where measurement_id = 'p100-study'
), measured as (
    select regexp_extract(architecture_id, '[^/]*$') as architecture, any_value(forward_flop) as forward_flop,
        any_value(backward_flop / forward_flop) as backward_ratio,
        max(measured_utilization_fraction) filter (checks.precision = 'fp32') as h100_fraction
    from measurements join operation_counts using (architecture_id) left join checks using (measurement_id, row)
    where measurement_id like 'measured-nvidia-h100%'
    group by architecture
)
select parsed.name as architecture, parsed.batch::int as batch,
    max(utilization) filter (parsed.way = 'theory') as theory_fraction,
    max(utilization) filter (parsed.way = 'one') as one_fraction,
    max(utilization) filter (parsed.way = 'batch') as batch_fraction,
    max(utilization) filter (parsed.way = 'epoch') as epoch_fraction,
    any_value(forward_flop) as forward_flop, any_value(backward_ratio) as backward_ratio,
    any_value(h100_fraction) as h100_fraction
from study left join measured on measured.architecture = parsed.name
group by 1, 2
order by any_value(forward_flop), 1, 2
