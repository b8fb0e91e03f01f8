-- Totals of others beside headlines of each class of evidence, and how many the headline's 90 % interval holds.
select evidence_class, count(*) as totals, count(*) filter (where is_in_interval) as held
from imputation_backtests join estimates using (model_id)
where quantity = 'training_flop'
group by evidence_class
