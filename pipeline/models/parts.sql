-- The parts that totals sum: a model's own training (is_own), and for a fine-tuned model also itself and its base
-- models together (is_whole). For any other model, its own training is the whole: one row is both.
with tuned as (select distinct model_id from lineages where part_id <> model_id)
select models.model_id, true as is_own, tuned.model_id is null as is_whole, models.model_id as part_id
from models left join tuned using (model_id)
union all
select model_id, false, true, part_id from lineages join tuned using (model_id)
