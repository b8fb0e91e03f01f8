-- Models made from others with known compute: that compute, and their own training as a share of it. Tuning with
-- instructions or by reinforcement learning takes less than continued training, so their kinds are told apart. A model
-- is like its largest base if it does the same and has about its size, and if a source names the base.
with bases as (
    select l.model_id, whole_sum(own_training_flop) as base_flop, bool_and(b.domain = m.domain) as is_same_domain,
        coalesce(any_value(m.base_evidence) <> 'assumed', true) as is_named,
        coalesce(any_value(m.parameters) / max(b.parameters), 1) as size_ratio,
        any_value(m.parent_organization) as parent_organization
    from lineages l join models m on m.model_id = l.model_id left join models b on b.model_id = l.part_id
    left join headlines h on h.model_id = l.part_id
    where l.part_id <> l.model_id group by l.model_id
), kinds as (
    select model_id, case when bool_and(coalesce(accounting in ('fine_tuning', 'reinforcement_learning'), false))
        then 'tuning' else 'continued' end as added_kind
    from runs group by model_id
)
select model_id, base_flop, own_training_flop / base_flop as own_share, coalesce(added_kind, 'any') as added_kind,
    size_ratio between 1 / 1.5 and 1.5 as is_same_size, is_same_size and is_same_domain and is_named as is_like_base,
    parent_organization
from bases join headlines using (model_id) left join kinds using (model_id)
where base_flop is not null
