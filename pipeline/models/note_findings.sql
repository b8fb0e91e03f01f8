-- Rows of Epoch's table whose note on compute contradicts itself or the row, one row per reason.
with equations as (
    from catalogue_notes
    where note_equation is not null
        and least(note_flop, note_result_flop) > 1e12  -- smaller figures are parts of a calculation in other units
),
sixless as (
    select *, 'lacks_six' as finding_reason, 6 * note_flop as found_flop, table_flop as against_flop
    from equations
    where lacks_six and abs(ln(note_flop / table_flop)) < ln(1.2)
),
slips as (
    select *, 'sides_differ' as finding_reason, note_flop as found_flop, note_result_flop as against_flop
    from equations
    where abs(ln(note_flop / note_result_flop)) > ln(1.5)
        -- A ratio that is a power of 1000 is not an error, because notes omit units: 13 for 13 billion.
        and abs(log10(note_flop / note_result_flop) / 3 - round(log10(note_flop / note_result_flop) / 3)) > 0.01
),
figures as (
    select source_row, table_flop, unnest([note_flop, note_result_flop]) as figure
    from catalogue_notes
    where table_flop > 1e12
),
-- A difference is explained by another estimate, a base model's compute, a mean or sum, a number of models or epochs,
-- or a share.
explained as (
    select a.source_row
    from figures a join figures b using (source_row)
    where a.figure > a.table_flop / 1e3
        and least(
            abs(ln(a.figure / a.table_flop)),
            abs(ln((a.figure + b.figure) / a.table_flop)),
            abs(ln(sqrt(a.figure) * sqrt(b.figure) / a.table_flop)),
            abs(ln(greatest(a.figure - b.figure, 1e-9 * a.table_flop) / a.table_flop)),
            if(b.figure < 1e4, abs(ln(a.figure * b.figure / a.table_flop)), 9),
            if(b.figure < 1e4, abs(ln(a.figure / b.figure / a.table_flop)), 9)
        ) < ln(1.1)
    union
    select source_row from equations group by source_row
    having abs(ln(whole_sum(note_result_flop) / any_value(table_flop))) < ln(1.1)
        -- A round figure between two results that are close to each other is explained too.
        or (any_value(table_flop) between min(note_result_flop) and max(note_result_flop)
            and max(note_result_flop) < 2 * min(note_result_flop))
),
strangers as (
    select *, 'not_in_note' as finding_reason, note_flop as found_flop, table_flop as against_flop
    from equations
    where table_flop > 1e12 and source_row not in (from explained)
),
found as (from sixless union all from slips union all from strangers)
select
    source_row,
    finding_reason,
    any_value(name) as name,
    any_value(table_flop) as table_flop,
    arg_max(found_flop, (result_nearness, -note_place)) as note_flop,
    arg_max(found_flop / against_flop, (result_nearness, -note_place)) as finding_ratio,
    arg_max(note_equation, (result_nearness, -note_place)) as note_equation
from (select *, -abs(ln(found_flop / against_flop)) as result_nearness from found)
group by source_row, finding_reason
