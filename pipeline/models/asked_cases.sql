-- Allocations whose chip and network family are known, each as a utilization case.
select a.model_id, a.phase, a.allocation, network, a.precision, generation, a.hardware_id, peak_flop_per_second,
    l.chips,
    'production' as run_kind, d.default_value as default_utilization_fraction,
    case when c.forward_flop > 0 and c.elementwise_flop > 0 then c.forward_flop / c.elementwise_flop end as intensity,
    c.forward_flop * (batch * architecture_passes_per_example) / l.chips as work_flop
from completed_allocations a
join runs r on r.model_id = a.model_id and r.phase = a.phase
join allocations l on l.model_id = a.model_id and l.phase = a.phase and l.allocation = a.allocation
join peaks p on p.hardware_id = a.hardware_id and p.precision = a.precision
join hardware h on h.hardware_id = a.hardware_id
join defaults d on d.quantity = 'utilization' and d.applies_to = a.utilization_case
left join operation_counts c on c.architecture_id = r.architecture_id
where network is not null

