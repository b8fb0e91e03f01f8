-- Gold runs and models with both methods, each with the three nearest measurements of the same kind of network, one per
-- source: on the same chip in the same precision, otherwise on the same generation of chips, otherwise in the same
-- precision. Among these, the nearest number of chips comes first. No measurement comes from the owner and code of the
-- gold run.
with near as (
    select c.*, h.name as chip, n.measurement_source, n.measured_utilization_fraction, n.chips as measured_chips,
        measured.name as measured_chip, n.precision as measured_precision, n.row,
        case
            when n.precision <> c.precision then 3
            when n.hardware_id = c.hardware_id then 0
            when n.generation = h.generation then 1
            else 2
        end as step,
        coalesce(abs(ln(n.chips / c.chips)), 0) as chips_apart
    from utilization_cases c
    join hardware h using (hardware_id)
    join measured_cases n on n.network = c.network
    join hardware measured on measured.hardware_id = n.hardware_id
    left join logged_runs l on c.kind = 'gold' and l.gold_group_id || '/' || l.run = c.case_id
    where c.kind <> 'stated'
        and not list_contains(string_split(coalesce(l.measured_by, ''), ' | '), n.measurement_source)
), each_source as (
    from near
    qualify row_number() over (
        partition by kind, case_id, measurement_source order by step, chips_apart, row
    ) = 1
), nearest as (
    from each_source
    qualify row_number() over (partition by kind, case_id order by step, chips_apart, measurement_source) <= 3
)
select kind, case_id, model_id, name, year, network, chip, precision, chips, utilization_fraction,
    median(measured_utilization_fraction) as nearest_fraction,
    list(
        {'source': measurement_source, 'chip': measured_chip, 'precision': measured_precision,
            'chips': measured_chips, 'utilization': measured_utilization_fraction}
        order by step, chips_apart, measurement_source
    ) as measured
from nearest
group by kind, case_id, model_id, name, year, network, chip, precision, chips, utilization_fraction
order by year, name, kind, case_id
