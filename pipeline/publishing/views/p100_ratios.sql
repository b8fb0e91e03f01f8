-- Measured utilization in FP32 over the study's by theory: the median over the networks of a family where both are
-- known.
select family, count(*) as networks, median(measured_full / theory) as ratio
from p100_networks
where measured_full is not null and theory is not null and family in ('dense_convolution', 'depthwise_convolution')
group by family
order by family
