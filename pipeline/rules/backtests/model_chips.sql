-- Each model and each of its chips, with the chip's peak in FP32 or in its best 16-bit precision.
select distinct a.model_id, published_year, hardware_id, if(precision = 'fp32', 'fp32', '16bit') as applies_to,
    max(peak_flop_per_second) over (partition by a.model_id, hardware_id, precision = 'fp32') as peak_flop_per_second
from allocations a join models using (model_id) join peaks using (hardware_id)
where precision in ('fp32', 'fp16', 'bf16')
