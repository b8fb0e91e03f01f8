-- The parts of each model's total, which add: its own training and that of its base models. If only its own training is
-- not known, a share of its bases' stands for it: the one that its makers state (base_share), or the middle one of
-- models to which the same was added (own_shares). An imputed part may be as good as nothing, and an assumed base none.
with stated as (
    select l.model_id,
        (any_value(1 / base_share - 1) * sum(columns('own_training_(flop.*)')::decimal(38, 0)))::double as '\1'
    from lineages l join models m on m.model_id = l.model_id left join headlines h on h.model_id = l.part_id
    where l.part_id <> l.model_id and base_share is not null
    group by l.model_id having bool_and(own_training_flop is not null)
), shares as (
    select *, true as is_in_share from stated
    union all by name
    select model_id, base_flop * middle_share as flop, 0 as flop_p2_5, 0 as flop_low, 0 as flop_p10,
        base_flop * p25_share as flop_p25, base_flop * p75_share as flop_p75, base_flop * p90_share as flop_p90,
        base_flop * high_share as flop_high, base_flop * p97_5_share as flop_p97_5
    from made_from_others join own_shares using (added_kind)
    where is_like_base and model_id not in (select model_id from stated)
), assumed as (  -- bases behind an assumed link
    select distinct chain.model_id, l.part_id
    from lineages chain join lineages l on l.model_id = chain.part_id join models m on m.model_id = l.model_id
    where l.part_id <> l.model_id and base_evidence = 'assumed'
), marked as (
    select p.model_id, p.part_id, s.* exclude (model_id), h.* exclude (model_id),
        p.part_id <> p.model_id as is_base, s.model_id is not null and not coalesce(is_in_share, false) as is_imputed,
        a.part_id is not null as is_assumed,
        -- A base that is larger than the model is no lower bound: perhaps only a part of it was used. Neither is a
        -- total that somebody reports, because nothing that we count supports it.
        not is_assumed and coalesce(headline_method <> 'reported', true)
            and not coalesce(is_base and b.parameters > 1.1 * m.parameters, false) as is_floor
    from parts p left join headlines h on h.model_id = p.part_id
    left join models m on m.model_id = p.model_id left join models b on b.model_id = p.part_id
    left join shares s on s.model_id = p.model_id and p.part_id = p.model_id and own_training_flop is null
    left join assumed a on a.model_id = p.model_id and a.part_id = p.part_id
    where is_whole
)
select model_id, part_id, is_base, is_imputed, is_assumed, coalesce(is_in_share, false) as is_in_share, is_floor,
    headline_method, evidence_class, is_hearsay, is_sound, is_bound, up_log, down_log, lean_log, named_second,
    gap_ratio, weak_reason, coalesce(own_training_flop, flop) as flop,
    if(is_assumed, 0, coalesce(own_training_flop_p2_5, flop_p2_5)) as flop_p2_5,
    if(is_assumed, 0, coalesce(own_training_flop_low, flop_low)) as flop_low,
    coalesce(own_training_flop_p10, flop_p10) as flop_p10, coalesce(own_training_flop_p25, flop_p25) as flop_p25,
    coalesce(own_training_flop_p75, flop_p75) as flop_p75, coalesce(own_training_flop_p90, flop_p90) as flop_p90,
    coalesce(own_training_flop_high, flop_high) as flop_high,
    coalesce(own_training_flop_p97_5, flop_p97_5) as flop_p97_5
from marked
