-- Models with an estimate that are no fine-tuned ones: their year, and their domain or, beyond the commonest six
-- of more than seven, the others.
with trained as (
    select e.*
    from estimates e join models m using (model_id)
    where training_flop is not null and m.base_model is null
), domains as (
    select domain, row_number() over (order by count(*) desc, domain) as place from trained group by domain
), most as (
    select if(max(place) <= 7, 7, 6) as places from domains
)
select
    model_id,
    name,
    round(
        year(published_date) + (dayofyear(published_date) - 0.5) / dayofyear(make_date(year(published_date), 12, 31)), 4
    ) as year,
    least(place, places + 1) as place,
    if(place <= places, replace(domain, '_', ' '), 'other domains') as kind,
    training_flop,
    training_flop_low,
    training_flop_high
from trained join domains using (domain) cross join most
order by model_id
