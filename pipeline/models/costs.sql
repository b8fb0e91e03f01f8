-- What each allocation of chips cost, in US dollars of its day, by three readings: amortized, bought, rented
-- (methods, section 9). Every price of the chip is carried to the day on which training began.
with numbers as (
    select map_from_entries(list((applies_to, default_value) order by applies_to) filter (quantity = 'cost')) as cost,
        map_from_entries(list((applies_to, default_value) order by applies_to) filter (quantity = 'price_terms'))
            as terms_ratio
    from defaults
), begun as (
    select c.model_id, c.phase, c.allocation, c.hardware_id, a.chips, c.chip_seconds / 3600 as chip_hours,
        c.chip_seconds_log_sd, cost, terms_ratio,
        -- A stated time is of one run where the chips are stated too.
        m.published_date - round(cost['days_before_publication'] + coalesce(c.chip_seconds / a.chips / 86400, 0))::int
            as began_date
    from completed_allocations c join allocations a using (model_id, phase, allocation) join models m using (model_id)
    cross join numbers
), carried as (
    select b.*, price_kind, price_date, (began_date - price_date) / 365.25::double as years_since,
        exp(-abs(years_since)) as weight,
        ln(price_usd * terms_ratio[price_terms]) - cost[price_kind || '_decline'] * years_since as price_log
    from begun b join hardware_prices using (hardware_id)
), priced as (
    select model_id, phase, allocation, price_kind, count(*) as prices_number,
        arg_min(price_date, (abs(years_since), price_date)) as nearest_price_date,
        sum(weight::decimal(38, 9))::double as weights,
        sum((weight * price_log)::decimal(38, 9))::double / weights as middle_log,
        sum((weight * price_log ** 2)::decimal(38, 9))::double / weights - middle_log ** 2 as variance,
        -- The spread of a chip's own prices, with that of all chips as one more price, and what a year between adds.
        ((any_value(cost)[price_kind || '_log_sd'] ** 2 + weights * greatest(variance, 0)) / (1 + weights)
            + (any_value(cost)['log_sd_per_year'] * min(abs(years_since))) ** 2) ** 0.5 as log_sd,
        min(-years_since) * 365.25 <= any_value(cost)['days_before_first_price'] as is_known
    from carried group by model_id, phase, allocation, price_kind
), known as (
    select b.*, p.nearest_price_date as purchase_date, r.nearest_price_date as rent_date,
        p.prices_number as purchases, r.prices_number as rents,
        case when p.is_known then exp(p.middle_log) end as server_usd, p.log_sd as server_log_sd,
        case when r.is_known then exp(r.middle_log) end as rent_per_hour_usd, r.log_sd as rent_log_sd
    from begun b
    left join priced p on p.model_id = b.model_id and p.phase = b.phase and p.allocation = b.allocation
        and p.price_kind = 'purchase'
    left join priced r on r.model_id = b.model_id and r.phase = b.phase and r.allocation = b.allocation
        and r.price_kind = 'rent'
), electricity as (
    select applies_to::int as year, default_value, coalesce(lead(year) over (order by year), 9999) as end_year
    from defaults where quantity = 'electricity_price'
), read as (
    select k.*, energy_kwh * e.default_value as electricity_usd,
        chip_hours * server_usd * cost['amortized_per_year'] / 8766 / (1 - cost['network_fraction']) as chips_usd,
        chips_usd + electricity_usd as amortized_usd,
        -- Errors of the time are common to chips and electricity.
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
