-- One row: how many pairs of timings one source has of a dense network on the same chips in FP32 and in a faster
-- precision, and the median effects.
with timed as (
    select
        measurement_id, architecture_id, hardware_id, chips, precision,
        median(examples_per_second) as speed,
        median(measured_utilization_fraction) as used,
        median(examples_per_second / measured_utilization_fraction) as peak
    from measured_rows
    where network = 'dense_convolution'
    group by all
)
select
    count(*) as pairs,
    median(fast.speed / slow.speed) as speed_ratio,
    median(fast.peak / slow.peak) as peak_ratio,
    median(slow.used) as slow_used,
    median(fast.used) as fast_used
from timed slow
join timed fast on (fast.measurement_id, fast.architecture_id, fast.hardware_id)
    = (slow.measurement_id, slow.architecture_id, slow.hardware_id)
    and fast.chips is not distinct from slow.chips
where slow.precision = 'fp32' and fast.precision <> 'fp32'
