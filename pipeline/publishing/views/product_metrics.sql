-- One row: the figures about the whole ledger that `dvc metrics` shows. A model is documented if its number rests on a
-- stated network and stated data. The catalogue is the rows of Epoch's table without a record.
with of_models as (
    select
        count(*) as models,
        count(training_flop) as with_number,
        count(*) filter (where evidence_class in ('confirmed', 'stated')) as documented,
        count(method_ratio) as both_methods,
        count(*) filter (where is_disputed) as disputed,
        avg((method_ratio between 0.5 and 2)::int) as agree_within_2,
        max(published_date)::varchar as newest_record
    from estimates
), of_catalogue as (
    select avg((training_flop / epoch_flop between 0.5 and 2)::int) as catalogue_within_2
    from catalogue_estimates join epoch_results using (source_row)
    where model_id is null and training_flop > 0
), of_gold as (
    select max(share_of_runs_held_fraction) as gold_coverage_90
    from gold_scores where gold_grouping = 'all' and gold_method = 'whole_run'
)
select *, (select min(fetched_on) from watched_sources) as oldest_source
from of_models cross join of_catalogue cross join of_gold
