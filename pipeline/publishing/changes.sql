-- The changes between two releases: models added or removed, published values, and the facts behind those values.
-- Reads old_estimates, new_estimates, old_facts and new_facts: the published CSV files, with every cell as text.
with before as (
    unpivot (from old_estimates) on columns(lambda c: c not in ('model_id', 'sources')) into name "column" value old
), after as (
    unpivot (from new_estimates) on columns(lambda c: c not in ('model_id', 'sources')) into name "column" value new
), both_columns as (
    select column_name from (describe old_estimates) semi join (describe new_estimates) using (column_name)
), moved as (
    select model_id, "column", old, new from before full join after using (model_id, "column")
    where old is distinct from new and coalesce(try_cast(old as double) <> try_cast(new as double), true)
        and "column" in (from both_columns)
        and model_id in (select model_id from old_estimates) and model_id in (select model_id from new_estimates)
), moved_facts as (  -- changed facts behind the estimates
    select record_kind, record_id, path,
        path || ': ' || coalesce(left(o.written, 60), 'absent') || ' -> ' || coalesce(left(n.written, 60), 'absent') as fact
    from old_facts o full join new_facts n using (record_kind, record_id, path)
    where o.written is distinct from n.written and regexp_matches(path,
        '^((active_)?parameters|base_model|forward_flop|connections|network|architecture|training|reported_flop|organization|published|peaks|power)')
), beneath as (  -- the records of the model, its base model and its chips
    select model_id, 'models' as record_kind, model_id as record_id, '' as whose from new_estimates
    union all select model_id, 'models', unnest(split(base_model, ' | ')) as base, base || ', its base model: ' from new_estimates
    union all select model_id, 'hardware', unnest(split(hardware, ' + ')) as chip, chip || ': ' from new_estimates
), reasons as (
    select model_id, string_agg(whose || fact, '; ' order by record_kind desc, whose, path) as reason
    from beneath join moved_facts using (record_kind, record_id) group by all
)
select model_id, "column", old, new, try_cast(new as double) / nullif(try_cast(old as double), 0) - 1 as change_fraction, reason
from moved left join reasons using (model_id)
union all by name
select model_id, 'training_flop' as "column", training_flop as new, 'the model was added' as reason
from new_estimates anti join old_estimates using (model_id)
union all by name
select model_id, 'training_flop' as "column", training_flop as old, 'the model is gone' as reason
from old_estimates anti join new_estimates using (model_id)
order by model_id, "column"
