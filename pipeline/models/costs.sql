-- The cost of each allocation of chips, in nominal US dollars, calculated in three ways: with the chips amortized,
-- bought or rented (methods, section 9).
with known as (
    select b.*, p.nearest_price_date as purchase_date, r.nearest_price_date as rent_date,
        p.prices_number as purchases, r.prices_number as rents,
        case when p.is_known then exp(p.middle_log) end as server_usd, p.log_sd as server_log_sd,
        case when r.is_known then exp(r.middle_log) end as rent_per_hour_usd, r.log_sd as rent_log_sd
    from began_allocations b
    left join allocation_prices p on p.model_id = b.model_id and p.phase = b.phase and p.allocation = b.allocation
        and p.price_kind = 'purchase'
    left join allocation_prices r on r.model_id = b.model_id and r.phase = b.phase and r.allocation = b.allocation
        and r.price_kind = 'rent'
), electricity as (
    select applies_to::int as year, default_value, coalesce(lead(year) over (order by year), 9999) as end_year
    from defaults where quantity = 'electricity_price'
), read as (
    select k.*, energy_kwh * e.default_value as electricity_usd,
        chip_hours * server_usd * cost['amortized_per_year'] / 8766 / (1 - cost['network_fraction']) as chips_usd,
        chips_usd + electricity_usd as amortized_usd,
        -- The costs of chips and of electricity share the error of the time.
        (chips_usd * (chip_seconds_log_sd ** 2 + server_log_sd ** 2 + cost['amortized_log_sd'] ** 2) ** 0.5
            + electricity_usd * (energy_log_sd ** 2 + cost['electricity_log_sd'] ** 2) ** 0.5) / amortized_usd
            as amortized_log_sd,
        chips * server_usd / (1 - cost['network_fraction']) as purchase_usd,
        chip_hours * rent_per_hour_usd as rent_usd
    from known k left join energy_estimates using (model_id, phase, allocation)
    left join electricity e on year(began_date) >= year and year(began_date) < end_year
)
select model_id, phase, allocation, began_date, server_usd, rent_per_hour_usd,
    case when amortized_usd is not null then purchase_date when rent_usd is not null then rent_date end
        as nearest_price_date,
    coalesce(purchases, 0) + coalesce(rents, 0) as prices_number,
    electricity_usd, amortized_usd, purchase_usd, rent_usd,
    coalesce(amortized_usd, rent_usd) as cost_usd,
    case when amortized_usd is not null then amortized_log_sd when rent_usd is not null
        then (chip_seconds_log_sd ** 2 + rent_log_sd ** 2) ** 0.5 end as cost_log_sd,
    case when amortized_usd is not null then 'amortized' when rent_usd is not null then 'cloud_rent'
         when chip_hours is null then 'no_chip_time' when hardware_id is null then 'chip_unknown'
         when prices_number = 0 then 'never_priced'
         when server_usd is null and rent_per_hour_usd is null then 'before_first_price' else 'no_power' end
        as cost_basis
from read
