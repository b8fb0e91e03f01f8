-- The models trained on each chip, largest first.
select a.hardware_id, e.*
from (select distinct hardware_id, model_id from allocations where hardware_id is not null) a
join estimates e using (model_id)
order by a.hardware_id, coalesce(training_flop, 0) desc, model_id
