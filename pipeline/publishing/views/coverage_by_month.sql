-- Models by month of publication, for the latest 36 months in either table: records and rows of Epoch's table, and how
-- many records, and rows without a record, are above 1e24 FLOP.
with months as (
    select published[:7] as month, 'record' as tier, training_flop from estimates where length(published) >= 7
    union all
    select published[:7], 'catalogue', null from catalogue_estimates where length(published) >= 7
    union all
    select published[:7], 'alone', training_flop from catalogue_estimates
    where model_id is null and length(published) >= 7
)
select
    month,
    count(*) filter (tier = 'record') as records,
    count(*) filter (tier = 'catalogue') as catalogue_rows,
    count(*) filter (tier = 'record' and training_flop > 1e24) as large_records,
    count(*) filter (tier = 'alone' and training_flop > 1e24) as large_rows_alone
from months
group by month
order by month desc
limit 36
