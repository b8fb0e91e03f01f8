-- Measurements that are not derived from a utilization, each with its utilization and the default for its network. They
-- come from rows of measurement records, and from runs in benchmark tables. Each record is one source, and so are all
-- runs of one submitter.
with timed as (
    select m.*, generation, peak_flop_per_second, forward_flop, elementwise_flop,
        (forward_flop + backward_flop) * examples_per_second / (chips * peak_flop_per_second)
            as measured_utilization_fraction
    from measurements m
    join operation_counts using (architecture_id) join peaks using (hardware_id, precision) join hardware
        using (hardware_id)
    where not is_circular
)
select measurement_id, "row", measurement_id as measurement_source, network, utilization_case, hardware_id, chips,
    precision, batch, run_kind, not is_whole_run as predicts, generation, peak_flop_per_second, forward_flop,
    elementwise_flop,
    measured_utilization_fraction, default_value as default_utilization_fraction
from timed
join defaults on quantity = 'utilization' and applies_to = utilization_case
union all
select measurement_id, "row", measurement_id || '/' || submitter, network, utilization_case, hardware_id, chips,
    precision, batch, run_kind, predicts, generation, peak_flop_per_second, forward_flop, elementwise_flop,
    measured_utilization_fraction, default_utilization_fraction
from rated_runs
where left_out_reason is null
