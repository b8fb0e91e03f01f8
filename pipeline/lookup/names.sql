-- Every model with its id, names, keys, makers, sizes, publication day and estimate, followed by the rows of Epoch's
-- tables. The newest come first, then the largest, because the name of a family usually refers to its latest models.
with former as (
    select coalesce(replaced_by, record_id) as id,
        string_agg(concat_ws(' | ', record_id, former_ids), ' | ' order by record_id) as former_names
    from identifiers where record_kind = 'models' and (former_ids is not null or replaced_by is not null) group by 1
), others as (
    select model_id, key, relation from keys
    union all select model_id, name, 'same' from catalogue_estimates where model_id is not null
), elsewhere as (
    select model_id, map_from_entries(list((key, relation) order by key)) as keys
    from (select model_id, key, max(relation) as relation from others group by 1, 2) group by 1
), named as (
    select model_id as id, e.name, nullif(concat_ws(' | ', m.aliases, former_names), '') as aliases, keys,
        'record' as tier, e.published, training_flop, training_flop_at_least, organization, parent_organization,
        parameters, active_parameters, weights_access, domain
    from estimates e join (select model_id, aliases from models) m using (model_id)
    left join elsewhere using (model_id) left join former on former.id = model_id
    union all
    select name, any_value(name), null, null, 'catalogue', max(published), max(training_flop),
        max(training_flop_at_least), any_value(organization), any_value(parent_organization), max(parameters),
        max(active_parameters), any_value(weights_access), any_value(domain)
    from catalogue_estimates where model_id is null group by name
)
from named order by tier desc, published desc nulls last, training_flop desc nulls last, id
