-- The parts of each total: of a model's own training (is_own), and of a fine-tuned model as a whole, with its base
-- models (is_whole). For any other model its own training is the whole, so one row is both.
with tuned as (select distinct model_id from lineages where part_id <> model_id)
select models.model_id, true as is_own, tuned.model_id is null as is_whole, models.model_id as part_id
from models left join tuned using (model_id)
union all
select model_id, false, true, part_id from lineages join tuned using (model_id)
