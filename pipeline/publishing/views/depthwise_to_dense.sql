-- One row: the chips and precisions in which both depthwise and dense networks were measured, and the median ratio of
-- the two.
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
