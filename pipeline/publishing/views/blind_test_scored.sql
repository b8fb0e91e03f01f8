-- The blind test, our errors first: whether the sealed 90 % interval holds Epoch's figure, as published and in the
-- figure's scope.
select b.*, m.name, stated_flop between p5_flop and p95_flop as is_inside,
    if(compared_scope = 'own_training', stated_flop between own_low_flop and own_high_flop, is_inside)
        as is_inside_in_scope,
    compared_scope in ('total', 'own_training') as is_same_scope,
    is_same_scope and verdict <> 'refuted' as is_comparable, is_comparable and verdict <> 'undecided' as is_decided
from blind_test b join models m using (model_id)
order by list_position(['ours_wrong', 'refuted', 'other_scope', 'undecided', 'inside'], verdict),
    abs(ln(stated_flop / p50_flop)) desc, model_id
