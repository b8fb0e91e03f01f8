-- Emissions of each allocation: its energy x the carbon intensity of the grid where it was trained, otherwise of its
-- operators' countries, otherwise of the world (methods, section 9). Also the water evaporated for cooling.
with placed as (
    select model_id, published_year, coalesce(trained_in, country, 'World') as grid_place,
        case when trained_in is not null then 'stated' when country is not null then 'operator_country' else 'world' end
            as basis,
        unnest(string_split(grid_place, ' + ')) as place
    from models
), newest as (
    select model_id, grid_place, basis, placed.place, arg_max(grid_g_per_kwh, f.grid_year) as grams,
        max(f.grid_year) as year
    from placed left join grid_factors f on f.place = placed.place and f.grid_year <= published_year
    group by all
), grids as (
    -- For several places, take the mean, and add the spread between places to the spread within a place.
    select model_id, grid_place, any_value(basis) as basis, count(*) = count(grams) as is_known,
        sum(grams::decimal(38, 9))::double / count(*) as grams, min(year) as year,
        coalesce(ln(max(grams) / min(grams)) / 2, 0) as between_log_sd
    from newest group by all
)
select e.model_id, phase, allocation, grid_place,
    case when is_known then basis else 'no_grid' end as grid_basis,
    case when is_known then year end as grid_year,
    case when is_known then grams end as grid_g_per_kwh,
    energy_kwh * grid_g_per_kwh / 1000 as co2_kg,
    case when co2_kg is not null then (energy_log_sd ** 2 + between_log_sd ** 2 + within.log_sd ** 2) ** 0.5 end
        as co2_log_sd,
    energy_kwh / facility_overhead_ratio * water.default_value as water_litres,
    case when water_litres is not null then (energy_log_sd ** 2 + water.log_sd ** 2) ** 0.5 end as water_log_sd
from energy_estimates e join grids using (model_id) join models m using (model_id)
left join defaults water on water.quantity = 'water_use' and water.applies_to = case when m.parent_organization in (
    select applies_to from defaults where quantity = 'water_use') then m.parent_organization else 'other' end
left join defaults within on within.quantity = 'grid_spread' and within.applies_to = basis
