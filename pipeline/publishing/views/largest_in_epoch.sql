-- Models in Epoch's table since 2019 that were among its ten largest when published, by year: how many have an estimate in a
-- record, and how many have one only from their row in the catalogue.
with dated as (
    select epoch_flop, coalesce(e.published_date, k.published_date) as published_date, e.training_flop,
        k.training_flop as catalogue_flop
    from epoch_results join catalogue_estimates k using (source_row) left join estimates e on e.model_id = k.model_id
    where epoch_flop is not null
)
select year(published_date) as year, count(*) as largest_number, count(training_flop) as estimated_number,
    count(catalogue_flop) filter (training_flop is null) as catalogue_number
from dated d
where published_date >= date '2019-01-01'
    and (select count(*) from dated b where b.epoch_flop > d.epoch_flop and b.published_date <= d.published_date) < 10
group by year
order by year
