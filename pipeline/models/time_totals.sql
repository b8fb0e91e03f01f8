-- GPU time and energy summed over allocations of chips, with rows as in operation_totals: for a model's own training
-- (is_own) and for the model as a whole (is_whole). Totals are null if the time of any phase is unknown.
select p.model_id, is_own, is_whole, whole_sum(if(has_untimed_phase, null, gpu_time_flop)) as gpu_time_flop,
    whole_sum(if(has_untimed_phase, null, gpu_time_informed_flop)) as gpu_time_informed_flop,
    whole_sum(if(has_untimed_phase, null, chip_peak_flop)) as chip_peak_flop,
    sum_log_sd(chip_peak_log_sd, chip_peak_flop) as chip_peak_log_sd,
    sum_log_sd(stated_utilization_log_sd, chip_peak_flop) as stated_utilization_log_sd,
    fine_sum(if(has_untimed_phase, null, g.chip_seconds)) as chip_seconds,
    fine_sum(if(has_untimed_phase, null, energy_kwh)) as energy_kwh,
    fine_sum_log_sd(energy_log_sd, energy_kwh) as energy_log_sd,
    weakest(hardware_basis) as hardware_basis, weakest(precision_basis) as precision_basis,
    weakest(utilization_basis) as utilization_basis, weakest(chip_seconds_class) as chip_seconds_class,
    min(utilization_low_fraction) as utilization_low_fraction, max(utilization_high_fraction)
        as utilization_high_fraction,
    max(format_ratio) as format_ratio,
    has_any(is_from_operations) as is_from_operations, has_any(chip_seconds_bound is not null) as is_time_bound,
    joined(precision) as precision
from parts p left join models on models.model_id = part_id
left join gpu_time_estimates g on g.model_id = part_id
left join energy_estimates e on e.model_id = g.model_id and e.phase = g.phase and e.allocation = g.allocation
group by p.model_id, is_own, is_whole
