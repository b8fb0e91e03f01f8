-- Years between a training run's start and the day of its price, and the age of its grid's emission factor.
with ages as (
    select 'Price of the chip nearest to the beginning of training' as input,
        abs(date_diff('day', nearest_price_date, began_date)) / 365.25::double as years
    from costs where cost_usd is not null
    union all
    select 'Factor of the grid, before publication', published_year - grid_year
    from carbon join models using (model_id) where co2_kg is not null
)
select input, count(*) as number, median(years) as median_years, quantile_cont(years, 0.9) as ninth_decile_years,
    max(years) as highest_years
from ages group by input order by input desc
