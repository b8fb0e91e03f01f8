-- Training compute of each allocation by method 2: GPU time x peak x utilization (methods, section 3).
with rated as (  -- the chip's peak at its precision, otherwise the default peak of the year
    select a.*, coalesce(p.peak_flop_per_second, a.default_peak_flop_per_second) as peak,
        chip_seconds * peak as chip_peak_flop
    from completed_allocations a left join peaks p using (hardware_id, precision)
), utilized as (  -- the stated utilization, otherwise the one predicted from measurements, otherwise the default
    select rated.*, spread, u.utilization_low_fraction, u.utilization_high_fraction,
        d.default_value as default_utilization_fraction,
        coalesce(stated_utilization_fraction, u.utilization_middle_fraction, default_utilization_fraction)
            as utilization_fraction,
        coalesce(stated_utilization_basis, case when u.utilization_middle_fraction is not null then 'calibrated' end,
            'assumed')
            as utilization_basis,
        -- Widths due to imputed inputs: the peak of an unknown chip, and the precision if it is not stated.
        case when chip_peak_flop is not null then coalesce(default_peak_log_sd, 0) end as peak_log_sd,
        case when chip_peak_flop is not null then case when precision_basis = 'assumed'
            then spread['precision_' || precision_rule]
            else 0.0::double end end as precision_log_sd
    from rated cross join constants
    left join utilizations u using (model_id, phase, allocation)
    left join defaults d on d.quantity = 'utilization' and d.applies_to = utilization_case
)
select model_id, phase, allocation, hardware_basis, precision, precision_basis, format_ratio, chip_seconds,
    chip_peak_flop,
    default_utilization_fraction, utilization_fraction, utilization_basis, utilization_low_fraction,
        utilization_high_fraction, stated_utilization_log_sd,
    chip_seconds_class, chip_seconds_log_sd, chip_seconds_bound, peak_log_sd, precision_log_sd,
    (chip_seconds_log_sd ** 2 + peak_log_sd ** 2 + precision_log_sd ** 2) ** 0.5 as chip_peak_log_sd,
    chip_seconds * peak * default_utilization_fraction as gpu_time_flop,
    chip_seconds * peak * utilization_fraction as gpu_time_informed_flop,
    is_from_operations
from utilized
