-- Runs in the benchmark tables, each with its utilization, and the reason if the utilization is unknown or not used.
-- Logged evaluation time is subtracted from the run's time.
with timed as (
    select b.*, h.generation, p.peak_flop_per_second, c.forward_flop, c.elementwise_flop,
        examples_seen / (run_seconds - coalesce(evaluation_seconds, 0)) as examples_per_second,
        (c.forward_flop + c.backward_flop) * examples_per_second / (chips * p.peak_flop_per_second)
            as measured_utilization_fraction,
        b.node_watts * b.nodes / (chips * h.power_watts) as chip_load_ratio
    from benchmark_runs b
    left join operation_counts c on c.architecture_id = b.architecture_id
    left join peaks p on p.hardware_id = b.hardware_id and p.precision = b.precision
    left join hardware h on h.hardware_id = b.hardware_id
)
select timed.*, default_value as default_utilization_fraction,
    case
        when timed.architecture_id is null then 'not_counted'
        when division = 'open' then 'open_division'  -- its network and target may differ from the benchmark's
        when examples_seen is null then 'samples_not_logged'
        when timed.hardware_id is null then 'chip_not_known'
        when chips is null then 'chips_not_stated'
        when timed.precision is null then 'precision_not_stated'
        when peak_flop_per_second is null then 'no_peak'
        when measured_utilization_fraction > 1 then 'above_peak'
    end as left_out_reason
from timed left join defaults on quantity = 'utilization' and applies_to = utilization_case
