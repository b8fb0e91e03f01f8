-- Measurements that predict utilizations, each as a case. Whole runs of models are left out, because they may be runs
-- that we estimate. Benchmark runs that did not improve predictions for other sources are left out too.
select measurement_id, row, measurement_source, network, precision, generation, hardware_id, peak_flop_per_second,
    chips, run_kind, measured_utilization_fraction, default_utilization_fraction,
    case when forward_flop > 0 and elementwise_flop > 0 then forward_flop / elementwise_flop end as intensity,
    forward_flop * batch / chips as work_flop
from rated_measurements
where predicts
