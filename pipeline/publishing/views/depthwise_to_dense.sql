-- One row: how many pairs of a chip and a precision have measurements of both depthwise and dense networks, and the
-- median ratio of the two utilizations.
with places as (
    select
        hardware_id, precision,
        median(measured_utilization_fraction) filter (where network = 'depthwise_convolution') as depthwise,
        median(measured_utilization_fraction) filter (where network = 'dense_convolution') as dense
    from measured_rows
    group by hardware_id, precision
)
select count(*) as pairs, median(depthwise / dense) as ratio
from places
where depthwise is not null and dense is not null
