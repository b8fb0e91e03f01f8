-- The blind test in all (null) and by evidence class: how many of Epoch's figures our sealed 90 % intervals hold, as
-- published and after the verdicts.
select evidence_class, count(*) as models_number, count(*) filter (is_inside) as inside_number,
    count(*) filter (verdict = 'refuted') as refuted_number,
    count(*) filter (verdict = 'other_scope') as other_scope_number,
    count(*) filter (verdict = 'undecided') as undecided_number,
    count(*) filter (verdict = 'ours_wrong') as ours_wrong_number,
    count(*) filter (is_same_scope) as same_scope_number,
    count(*) filter (is_same_scope and is_inside_in_scope) as same_scope_inside_number,
    count(*) filter (is_comparable) as comparable_number,
    count(*) filter (is_comparable and is_inside_in_scope) as comparable_inside_number,
    count(*) filter (is_decided) as decided_number,
    count(*) filter (is_decided and is_inside_in_scope) as decided_inside_number
from blind_test_scored
group by grouping sets ((evidence_class), ()) having count(*) > 0
order by models_number desc, evidence_class nulls first
