-- Measurements that predict utilizations, each as a case. The whole run of a model is left out: it may be the model
-- that is estimated.
select measurement_id, row, network, precision, generation, hardware_id, peak_flop_per_second, chips, run_kind,
    measured_utilization_fraction, default_utilization_fraction,
    case when forward_flop > 0 and elementwise_flop > 0 then forward_flop / elementwise_flop end as intensity,
    forward_flop * batch / chips as work_flop
from rated_measurements
where not is_whole_run
