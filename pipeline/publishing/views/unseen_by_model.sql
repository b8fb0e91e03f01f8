-- Models with most facts that were not seen in a source.
select record_id as model_id, count(*) filter (where evidence = 'unseen') as unseen, count(*) as facts
from facts
where record_kind = 'models'
group by record_id
having unseen > 0
order by unseen desc, model_id
limit 15
