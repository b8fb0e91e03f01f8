-- For each model and each of seven facts: whether its authors state the fact, only other people do, or we did not
-- find it. `path` is the path of the first statement. A fact that was neither read nor looked for has no row.
with names(fact, part) as (
    values ('parameters', 'parameters'), ('tokens', 'examples'), ('tokens', 'steps'), ('chips', 'chip'),
        ('chips', 'chips'), ('time', 'duration'), ('time', 'chip_time'), ('precision', 'precision'),
        ('utilization', 'utilization'), ('compute', 'reported_flop')
), read as (
    select model_id, fact, path, if(fact_status = 'makers', 'stated', 'others') as status
    from facts join names on part = regexp_extract(path, '[^.]*$')
    where fact_status in ('makers', 'others') and not starts_with(path, 'contributions')
    union all
    select model_id, fact, path, 'not found' from missing_facts join names on part = regexp_extract(path, '[^.]*$')
)
select model_id, fact, arg_min(status, rank) as status, arg_min(path, rank) as path
from (select *, (list_position(['stated', 'others', 'not found'], status), path) as rank from read)
group by model_id, fact
order by model_id, fact
