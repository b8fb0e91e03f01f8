-- Each year's default peak, compared with the peaks of the chips that the ledger's models of that year used.
with chips as (
    select *, count(*) over (partition by published_year, applies_to, hardware_id, peak_flop_per_second) as models
    from model_chips
)
select published_year, applies_to, any_value(y.peak_flop_per_second) as default_peak_flop_per_second,
    any_value(peak_basis) as peak_basis, any_value(source) as source,
    exp(list_avg(list(ln(c.peak_flop_per_second) order by model_id, hardware_id))) as own_mean_peak_flop_per_second,
    list_stddev_pop(list(ln(c.peak_flop_per_second) order by model_id, hardware_id)) as log_sd,
    count(distinct model_id) as models_number,
    first(hardware_id order by models desc, hardware_id, c.peak_flop_per_second) as common_hardware_id,
    first(c.peak_flop_per_second order by models desc, hardware_id, c.peak_flop_per_second)
        as common_peak_flop_per_second,
    max(models) as common_models_number
from year_peaks y join chips c using (published_year, applies_to)
group by published_year, applies_to
