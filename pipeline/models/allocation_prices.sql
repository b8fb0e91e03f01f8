-- The price of each allocation's chip on the day when training began, in ln US dollars, for purchase or for rent per
-- hour (price_kind). It is the mean of the chip's known prices, each extrapolated to that day by the usual price
-- decline and weighted by exp(-years between) (methods, section 9).
with carried as (
    select b.*, price_kind, price_date, (began_date - price_date) / 365.25::double as years_since,
        exp(-abs(years_since)) as weight,
        ln(price_usd * terms_ratio[price_terms]) - cost[price_kind || '_decline'] * years_since as price_log
    from began_allocations b join hardware_prices using (hardware_id)
)
select model_id, phase, allocation, price_kind, count(*) as prices_number,
    arg_min(price_date, (abs(years_since), price_date)) as nearest_price_date,
    sum(weight::decimal(38, 9))::double as weights,
    sum((weight * price_log)::decimal(38, 9))::double / weights as middle_log,
    sum((weight * price_log ** 2)::decimal(38, 9))::double / weights - middle_log ** 2 as variance,
    -- The spread of this chip's prices (the spread over all chips counts as one more price), plus an amount per year
    -- between the nearest price and that day.
    ((any_value(cost)[price_kind || '_log_sd'] ** 2 + weights * greatest(variance, 0)) / (1 + weights)
        + (any_value(cost)['log_sd_per_year'] * min(abs(years_since))) ** 2) ** 0.5 as log_sd,
    -- We assume that the chip was on sale if its first price is at most this many days after the start of training.
    min(-years_since) * 365.25 <= any_value(cost)['days_before_first_price'] as is_known
from carried group by model_id, phase, allocation, price_kind
