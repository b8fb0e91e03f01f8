-- The changes between two releases: models added or removed, published values, and what caused each of them.
-- Reads old_estimates, new_estimates, old_facts and new_facts: the published CSV files, with every cell as text.
with before as (
    unpivot (from old_estimates) on columns(lambda c: c not in ('model_id', 'sources')) into name column_name value old
), after as (
    unpivot (from new_estimates) on columns(lambda c: c not in ('model_id', 'sources')) into name column_name value new
), both_columns as (
    select column_name from (describe old_estimates) semi join (describe new_estimates) using (column_name)
), moved as (
    select model_id, column_name, old, new from before full join after using (model_id, column_name)
    where old is distinct from new and coalesce(try_cast(old as double) <> try_cast(new as double), true)
        and column_name in (from both_columns)
        and model_id in (select model_id from old_estimates) and model_id in (select model_id from new_estimates)
), moved_facts as (
    select record_kind, record_id, path,
        path || ': ' || coalesce(left(o.written, 60), 'absent') || ' -> ' || coalesce(left(n.written, 60), 'absent')
            as fact
    from old_facts o full join new_facts n using (record_kind, record_id, path)
    where o.written is distinct from n.written
), bases as (
    select model_id, unnest(split(base_model, ' | ')) as base from new_estimates
), beneath as (  -- the records of the model, its base model and its chips
    select model_id, 'models' as record_kind, model_id as record_id, '' as whose from new_estimates
    union all select model_id, 'models', base, base || ', its base model: ' from bases
    union all select model_id, 'hardware', unnest(split(hardware, ' + ')) as chip, chip || ': ' from new_estimates
), by_facts as (  -- of inputs to estimates, and of other facts, such as the access to weights
    select model_id, regexp_matches(path, '^((active_)?parameters|base_model|forward_flop|connections|network'
        || '|architecture|training|reported_flop|organization|published|peaks|power)') as is_input,
        string_agg(whose || fact, '; ' order by record_kind desc, whose, path) as reason
    from beneath join moved_facts using (record_kind, record_id) group by all
), by_bases as (  -- a base model's total moved, for whatever reason
    select b.model_id, string_agg(
            base || ', its base model: ' || column_name || ': ' || coalesce(old, 'absent') || ' -> '
            || coalesce(new, 'absent'), '; ' order by base, column_name
        ) as base_reason
    from bases b join moved on moved.model_id = base
    where column_name in ('training_flop', 'training_flop_low', 'training_flop_high') group by all
), by_measurements as (  -- measurements that moved the prediction of the model's utilization
    select model_id, 'measurements: ' || (select string_agg(distinct record_id, ', ' order by record_id)
        from moved_facts where record_kind = 'measurements') as measurement_reason
    from moved where column_name = 'utilization_fraction'
)
select model_id, column_name, old, new,
    try_cast(new as double) / nullif(try_cast(old as double), 0) - 1 as change_fraction,
    coalesce(i.reason, base_reason, measurement_reason, f.reason,
        case when exists (from old_facts) and exists (from new_facts)
            then 'rules: no fact of its record, base model or chips changed' end) as reason
from moved left join (from by_facts where is_input) i using (model_id) left join by_bases using (model_id)
left join by_measurements using (model_id) left join (from by_facts where not is_input) f using (model_id)
union all by name
select model_id, 'training_flop' as column_name, training_flop as new, 'the model was added' as reason
from new_estimates anti join old_estimates using (model_id)
union all by name
select model_id, 'training_flop' as column_name, training_flop as old, 'the model is gone' as reason
from old_estimates anti join new_estimates using (model_id)
order by model_id, column_name
