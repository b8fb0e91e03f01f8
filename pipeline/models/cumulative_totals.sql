-- Training FLOP of each model plus all contributions in its record and in the records of its base models. For a teacher
-- or a search without stated compute, add all training of its model; any other unknown contribution makes the total
-- null. The total is also null if nobody has looked for contributions.
with added as (
    select c.model_id,
        coalesce(contribution_flop, case when accounting in ('distillation_teacher', 'search')
            then h.training_flop end) as flop
    from contributions c left join headline_totals h on h.model_id = contributor_id
), contributed as (
    select m.model_id as part_id, sum(flop::decimal(38, 0)) as flop,
        any_value(not has_read_contributions) or has_any(a.model_id is not null and flop is null) as is_unknown
    from models m left join added a on a.model_id = m.model_id
    group by m.model_id
)
select l.model_id,
    case when not bool_or(is_unknown) then any_value(h.training_flop)
        + coalesce(sum(flop::decimal(38, 0))::double, 0) end as cumulative_flop
from lineages l join contributed using (part_id) join headline_totals h on h.model_id = l.model_id
group by l.model_id
