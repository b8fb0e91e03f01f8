-- Models whose methods dispute with what is said of it, lowest ratio first.
select e.*, dispute_sentence, dispute_resolution
from estimates e join sentences using (model_id)
where is_disputed
order by method_ratio, model_id
