-- Changed cells in columns that both snapshots have, with the ratio of the values if both are numbers.
with same_rows as (
    select name, nth, name as name_before, nth as nth_before from rows_after semi join rows_before using (name, nth)
    union all
    select name, nth, name_before, nth_before from changes where change = 'renamed'
)
select
    a.name,
    a."column",
    b.cell as before,
    a.cell as "after",
    try_cast(a.cell as double) / nullif(try_cast(b.cell as double), 0) as ratio
from same_rows s
join cells_after a on a.name = s.name and a.nth = s.nth
join cells_before b on b.name = s.name_before and b.nth = s.nth_before and b."column" = a."column"
where a.cell is distinct from b.cell
    and coalesce(abs(ratio - 1) > 1e-5, true)  -- 984.0 equals 984, and 5e22 equals 5.0000000000000004e+22
    and a."column" in (select distinct "column" from cells_before)
order by all
