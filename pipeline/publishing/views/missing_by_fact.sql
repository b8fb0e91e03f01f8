-- Facts that were looked for and not found, by name: how often, and of which models; the commonest.
select
    regexp_extract(regexp_replace(path, '\[\d+\]', '', 'g'), '[^.]*$') as fact,
    count(*) as times,
    list(distinct model_id order by model_id) as model_ids
from missing_facts
group by fact
order by times desc, fact
limit 15
