-- Each model and each of its chips, with the chip's peak in FP32 or in its best 16-bit precision. Models of owners that
-- build their own chips are left out, because the defaults of these models are their owner's chips.
select distinct a.model_id, published_year, hardware_id, if(precision = 'fp32', 'fp32', '16bit') as applies_to,
    max(peak_flop_per_second) over (partition by a.model_id, hardware_id, precision = 'fp32') as peak_flop_per_second
from allocations a join models using (model_id) join peaks using (hardware_id)
where precision in ('fp32', 'fp16', 'bf16')
    and not exists (from year_peaks y where y.published_year = models.published_year
        and y.peak_basis = 'default_maker'
        and list_contains(string_split(models.parent_organization, ' + '), y.applies_to))
