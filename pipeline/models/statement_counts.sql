-- Numbers of external totals that agree and that disagree with headlines of each kind. External bounds are left out.
with compared as (
    select headline_kind(e.evidence_class, weak_reason) as headline_kind,
        abs(ln(stated_flop / e.training_flop)) > ln(2) as is_far,
        inputs in ('same_count', 'same_both') as is_restating, inputs = 'own' as is_independent,
        stated_flop between e.training_flop_low and e.training_flop_high as is_held
    from external_estimates join estimates e using (model_id) join reconciliations using (model_id)
    where e.training_flop is not null and stated_flop is not null and stated_bound is null
)
select headline_kind, count(*) as statements_number, count(*) filter (is_far) as far_number,
    count(*) filter (is_held) as held_number, count(*) filter (not is_restating) as not_restating_number,
    count(*) filter (is_far and not is_restating) as far_not_restating_number,
    count(*) filter (is_independent) as independent_number,
    count(*) filter (is_independent and is_held) as independent_held_number
from compared group by headline_kind
