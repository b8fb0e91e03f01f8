-- Items of work by rank. Items from this update come first.
with rows_with_change as (
    select r.*, c.change,
        exists (from moves m where m.name = r.name and m."column" = 'Training compute (FLOP)') as has_moved
    from rows_judged r left join changes c on c.name = r.name and c.change <> 'gone'
),
records_moved as (
    select m.*, r.model_id, r.theirs_flop from moves m join rows_judged r using (name)
),
lines as (
    select 1 as rank, 'threshold' as kind, name, greatest(ours_flop, theirs_flop) as size, change is not null as is_new,
        'above 1e25 FLOP without a record: ours ' || coalesce(printf('%.3g', ours_flop), 'unknown')
        || ', theirs ' || coalesce(printf('%.3g', theirs_flop), 'unknown') as reason
    from rows_with_change where model_id is null and greatest(ours_flop, theirs_flop) >= 1e25  -- the EU's threshold
    union all
    select 2, 'finding', name, size_flop, true, kind || ', factor ' || printf('%.3g', factor) || ': ' || reason
    from findings
    union all
    select 3, 'now_known', name, theirs_flop, change is not null or has_moved,
        'its record has no total and does not cite theirs, ' || printf('%.3g', theirs_flop)
    from rows_with_change
    where model_id is not null and ours_flop is null and theirs_flop is not null and is_entered is distinct from true
    union all
    select 4, 'moved', name, abs(ln(ratio)), true, 'its compute changed by a factor of ' || printf('%.3g', ratio)
    from records_moved
    where "column" = 'Training compute (FLOP)' and ratio is not null and name not in (select name from findings)
    union all
    select 5, 'missing_fact', m.name, m.theirs_flop, true,
        'its record lacks ' || facts.fact || '; the table now has ' || m."after" || ' (' || m."column" || ')'
    from records_moved m
    join (values
        ('Training time (hours)', 'duration'), ('Training time (hours)', 'chip_time'), ('Hardware quantity', 'chips'),
        ('Training hardware', 'chip'), ('Training dataset size (total)', 'examples'), ('Batch size', 'batch'),
        ('Numerical format', 'precision'), ('Parameters', 'parameters')
    ) facts("column", fact) using ("column")
    join missing x on x.model_id = m.model_id and x.fact = facts.fact
    where coalesce(m."after", '') <> ''
    union all
    select 5, 'reading', name, null, is_new, 'its notes no longer have "' || words || '", in which we read ' || figure
    from lost_readings
    union all
    select 6, 'chip', chip, count(*), bool_or(is_new), 'no chip in the ledger has this name; ' || min(reason)
    from unknown_chips group by chip
    union all
    select 7, 'address', address, null, true, status || '; cited by ' || models from lost_addresses
    union all
    select 8, 'round', address, null, true, status from rounds_moved
    union all
    select 9, 'gone', name, null, true, 'the table no longer has this row' from changes where change = 'gone'
    union all
    select 9, 'renamed', name, null, true, 'was ' || name_before from changes where change = 'renamed'
    union all
    select 10, 'new', name, greatest(ours_flop, theirs_flop), true,
        'new row; ' || coalesce('ours ' || printf('%.3g', ours_flop), no_estimate_reason, '')
    from rows_with_change where change = 'new' and model_id is null
        and coalesce(greatest(ours_flop, theirs_flop), 0) < 1e25
    union all
    select 11, 'unread', model_id, null, false, 'last checked against its sources on ' || reviewed
    from (from reviewed order by reviewed, model_id limit 10)
)
select row_number() over (order by not is_new, rank, size desc nulls last, name) as rank, kind, name, is_new, reason
from lines order by rank
