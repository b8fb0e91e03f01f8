-- Rows that differ between two snapshots of a table: `new`, `gone`, or `renamed` with the former name. `nth`
-- distinguishes rows with the same name.
with new_rows as (from rows_after anti join rows_before using (name, nth)),
gone_rows as (from rows_before anti join rows_after using (name, nth)),
pairs as (
    select g.name as name_before, n.name, g.nth as nth_before, n.nth
    from gone_rows g join new_rows n
        on lower(regexp_replace(g.name, '[\W_]', '', 'g')) = lower(regexp_replace(n.name, '[\W_]', '', 'g'))
        or (g.link = n.link and g.organization = n.organization and g.published = n.published)
    -- If several sizes of a model share an address, we cannot tell which one was renamed.
    qualify count(*) over (partition by g.name, g.nth) = 1 and count(*) over (partition by n.name, n.nth) = 1
)
select 'renamed' as change, name, nth, name_before, nth_before from pairs
union all
select 'new', name, nth, null, null from new_rows anti join pairs using (name, nth)
union all
select 'gone', name, nth, name, nth from gone_rows g
where not exists (from pairs p where p.name_before = g.name and p.nth_before = g.nth)
order by all
