-- Models in Epoch's table since 2020 that were among its ten largest when published, and how many have no estimate in a
-- record.
with dated as (
    select epoch_flop, coalesce(e.published_date, k.published_date) as published_date, e.training_flop
    from epoch_results join catalogue_estimates k using (source_row) left join estimates e on e.model_id = k.model_id
    where epoch_flop is not null
)
select count(*) as largest_number, count(*) filter (training_flop is null) as without_number
from dated d
where published_date >= date '2020-01-01'
    and (select count(*) from dated b where b.epoch_flop > d.epoch_flop and b.published_date <= d.published_date) < 10
