-- The missing figure of each plan, with a 90 % interval: the trial amount times the ratio of the operations that the
-- plan needs to those that its chips do, or times the inverse. Each row also has chip-hours, energy, cost and carbon,
-- and the factor that widens each interval most. The squares of the logarithms of independent errors are added.
with asked as (
    select p.amount, p.solved_for in ('days', 'chips') as is_of_chips,
        w.training_flop as work, ln(w.training_flop / w.training_flop_low) as work_down,
        ln(w.training_flop_high / w.training_flop) as work_up,
        case when t.utilization_basis not in ('calibrated', 'assumed') then 'stated'
             else run_utilization_rule(r.network) end as utilization_rule,
        t.training_flop as done,
        -- A stated utilization has no error but the width of its range; the peak may have one, if no format is stated.
        normal_quantile_95() * g.stated_utilization_log_sd as share_error,
        (normal_quantile_95() ** 2 * g.chip_peak_log_sd ** 2 + share_error ** 2) ** 0.5 as stated_error,
        coalesce(stated_error, ln(t.training_flop / t.training_flop_low)) as done_down,
        coalesce(stated_error, ln(t.training_flop_high / t.training_flop)) as done_up,
        t.utilization_fraction / t.gpu_time_informed_flop as share_per_flop, t.chip_hours as hours, t.cost_basis,
        [t.energy_kwh, t.energy_kwh_low, t.energy_kwh_high] as energy_kwh,
        [t.cost_usd, t.cost_usd_low, t.cost_usd_high] as cost_usd, [t.co2_kg, t.co2_kg_low, t.co2_kg_high] as co2_kg
    from plans p join estimates w on w.model_id = p.work_id join estimates t on t.model_id = p.timed_id
    join runs r on r.model_id = p.timed_id and r.phase_index = 0
    join gpu_time_estimates g on g.model_id = r.model_id and g.phase = r.phase
), scaled as (  -- the factor by which the chips' time grows: work needed / work done, or 1 if the time is stated
    select *, case when is_of_chips then work / done else 1 end as scale,
        case when is_of_chips then sqrt(work_down ** 2 + done_up ** 2) else 0 end as scale_down,
        case when is_of_chips then sqrt(work_up ** 2 + done_down ** 2) else 0 end as scale_up,
        case when is_of_chips then scale * amount else done / work * amount end as solved,
        case when is_of_chips then scale_down else sqrt(done_down ** 2 + work_up ** 2) end as solved_down,
        case when is_of_chips then scale_up else sqrt(done_up ** 2 + work_down ** 2) end as solved_up
    from asked
)
select solved, solved * exp(-solved_down) as solved_low, solved * exp(solved_up) as solved_high,
    case when done_down + done_up > work_down + work_up then 'utilization' else 'operations' end as solved_driver,
    done * share_per_flop as utilization,
    done * exp(-coalesce(share_error, done_down)) * share_per_flop as utilization_low,
    done * exp(coalesce(share_error, done_up)) * share_per_flop as utilization_high,
    utilization_rule, hours * scale as chip_hours, hours * scale * exp(-scale_down) as chip_hours_low,
    hours * scale * exp(scale_up) as chip_hours_high,
    forecast_of(energy_kwh, scale, 0, 0) as energy_kwh,
    forecast_of(energy_kwh, scale, scale_down, -1) as energy_kwh_low,
    forecast_of(energy_kwh, scale, scale_up, 1) as energy_kwh_high,
    forecast_driver(energy_kwh, scale_down + scale_up) as energy_driver,
    forecast_of(cost_usd, scale, 0, 0) as cost_usd,
    forecast_of(cost_usd, scale, scale_down, -1) as cost_usd_low,
    forecast_of(cost_usd, scale, scale_up, 1) as cost_usd_high,
    forecast_driver(cost_usd, scale_down + scale_up) as cost_driver, cost_basis,
    forecast_of(co2_kg, scale, 0, 0) as co2_kg, forecast_of(co2_kg, scale, scale_down, -1) as co2_kg_low,
    forecast_of(co2_kg, scale, scale_up, 1) as co2_kg_high,
    forecast_driver(co2_kg, scale_down + scale_up) as co2_driver
from scaled
