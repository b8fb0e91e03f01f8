-- Gold runs whose network family is known, each as a utilization case. Measurements by the same owner with the same
-- code (measured_by) may not be used to predict the run.
select l.gold_group_id, l.run, l.measured_by, l.network, p.precision, h.generation, l.hardware_id,
    p.peak_flop_per_second,
    l.chips, 'production' as run_kind, d.default_value as default_utilization_fraction,
    case when c.forward_flop > 0 and c.elementwise_flop > 0 then c.forward_flop / c.elementwise_flop end as intensity,
    c.forward_flop * (l.batch * l.architecture_passes_per_example) / l.chips as work_flop
from logged_runs l
join hardware h using (hardware_id)
join peaks p on p.hardware_id = l.hardware_id and p.precision = coalesce(l.stated_precision, h.only_precision)
join defaults d on d.quantity = 'utilization' and d.applies_to = l.utilization_case
join operation_counts c using (architecture_id)
where l.network is not null
