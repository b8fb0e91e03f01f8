-- Energy and greenhouse gases that authors state for a training run, and ours for the same run, without base models.
with own as (
    select model_id, case when bool_and(energy_kwh is not null) then sum(energy_kwh) end as energy_kwh,
        case when bool_and(co2_kg is not null) then sum(co2_kg) end as co2_kg,
        -- Parts are fully correlated, as in totals.
        sum(energy_log_sd * energy_kwh) / sum(energy_kwh) as energy_log_sd,
        sum(co2_log_sd * co2_kg) / sum(co2_kg) as co2_log_sd,
        string_agg(distinct grid_place, ', ' order by grid_place) as grid_place
    from energy_estimates join carbon using (model_id, phase, allocation) join models using (model_id)
    where not has_untimed_phase group by model_id
), stated as (
    select model_id, 'energy' as footprint, reported_energy_kwh as reported, energy_kwh as ours,
        energy_log_sd as log_sd, grid_place, 'reported_energy' as path
    from models left join own using (model_id)
    union all
    select model_id, 'co2', reported_co2_kg, co2_kg, co2_log_sd, grid_place, 'reported_co2'
    from models left join own using (model_id)
)
select s.* exclude (path, log_sd), ours * exp(-1.644854 * log_sd) as low, ours * exp(1.644854 * log_sd) as high,
    m.name, m.published, ours / reported as ratio, reported between low and high as is_held, f.text, f.url, f.title,
    f.note
from stated s join models m using (model_id)
left join facts f on f.record_kind = 'models' and f.record_id = s.model_id and f.path = s.path
where reported is not null
order by footprint, reported desc, s.model_id
