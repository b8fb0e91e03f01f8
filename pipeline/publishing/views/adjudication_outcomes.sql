-- Other people's values that we checked in their sources: the outcome, the factor by which they were off, and the
-- quotes, furthest off first.
with quoted as (
    select
        q.record_id, q.path,
        list({'text': q.text, 'locator': q.locator, 'title': title, 'url': url} order by quote_index) as quotes
    from fact_quotes q join sources s using (record_kind, record_id, source)
    where record_kind = 'adjudications'
    group by q.record_id, q.path
)
select
    a.*,
    case
        when corrected_flop is null then 'dropped'
        when corrected_flop <> published_flop then 'corrected'
        when reason is null then 'standing'
        else 'suspected'
    end as outcome,
    if(corrected_flop is null, null,
        greatest(published_flop, corrected_flop) / least(published_flop, corrected_flop)) as off_by_ratio,
    coalesce(quotes, []) as quotes
from adjudications a left join quoted using (record_id, path)
order by coalesce(off_by_ratio, 1) desc, lower(name), snapshot, published_flop
