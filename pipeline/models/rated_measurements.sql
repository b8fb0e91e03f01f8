-- Measurements that were not derived from a utilization, each with the utilization that it reached and the default of
-- its kind of network.
with timed as (
    select m.*, generation, peak_flop_per_second, forward_flop, elementwise_flop,
        (forward_flop + backward_flop) * examples_per_second / (chips * peak_flop_per_second)
            as measured_utilization_fraction
    from measurements m
    join operation_counts using (architecture_id) join peaks using (hardware_id, precision) join hardware
        using (hardware_id)
    where not is_circular
)
select timed.*, default_value as default_utilization_fraction
from timed join defaults on quantity = 'utilization' and applies_to = utilization_case
