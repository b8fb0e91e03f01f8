-- Findings: values that moved to within a factor of two of ours, or beyond it.
with values_moved as (
    select m.name, m.before::double as before_flop, m."after"::double as after_flop,
        o.ours_flop, o.middle_flop, j.corrected_flop
    from moves m
    left join rows_judged o using (name)
    left join adjudicated j using (name)
    where m."column" = 'Training compute (FLOP)' and m.ratio is not null
),
moved as (
    select name, before_flop, after_flop, coalesce(corrected_flop, ours_flop, middle_flop) as right_flop,
        case when corrected_flop is not null then 'our adjudication'
            when ours_flop is not null then 'our value' else 'the middle of our interval' end as whose,
        abs(ln(before_flop / right_flop)) > ln(2) as was_far, abs(ln(after_flop / right_flop)) > ln(2) as is_far
    from values_moved
)
select name, if(was_far, 'confirms_ours', 'contradicts_ours') as kind, after_flop / before_flop as factor,
    printf('%.4g', before_flop) || ' became ' || printf('%.4g', after_flop) || ' FLOP; ' || whose || ' is '
        || printf('%.4g', right_flop) as reason, after_flop as size_flop
from moved where was_far <> is_far and (was_far or whose <> 'the middle of our interval')
order by all
