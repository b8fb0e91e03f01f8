-- Cost and carbon of each model including its base models, summed over allocations as in time_totals. A sum with an
-- unknown part is null, and the row gives the first reason.
with summed as (
    select p.model_id, fine_sum(if(has_untimed_phase, null, cost_usd)) as cost_usd,
        fine_sum_log_sd(cost_log_sd, cost_usd) as cost_log_sd,
        string_agg(distinct cost_basis, ' + ' order by cost_basis) as basis,
        min(cost_basis) filter (cost_usd is null) as unknown_basis,
        case when count(*) = 1 then any_value(purchase_usd) end as purchase_usd,
        fine_sum(if(has_untimed_phase, null, rent_usd)) as rent_usd,
        fine_sum(if(has_untimed_phase, null, co2_kg)) as co2_kg, fine_sum_log_sd(co2_log_sd, co2_kg) as co2_log_sd
    from parts p left join models on models.model_id = part_id
    left join costs c on c.model_id = part_id
    left join carbon k on k.model_id = c.model_id and k.phase = c.phase and k.allocation = c.allocation
    where is_whole
    group by p.model_id
)
select model_id, cost_usd, case when cost_usd is not null then s.cost_log_sd end as cost_log_sd,
    case when cost_usd is not null then basis else coalesce(unknown_basis, 'no_chip_time') end as cost_basis,
    purchase_usd, rent_usd, co2_kg, case when co2_kg is not null then s.co2_log_sd end as co2_log_sd
from summed s
