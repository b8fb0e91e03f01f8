-- Facts by evidence: all facts, facts per kind of record, and facts about models in each domain.
select
    case when grouping(record_kind) = 0 then 'kind' when grouping(domain) = 0 then 'domain' else 'all' end
        as grouped_by,
    coalesce(record_kind, domain, 'all') as name,
    count(*) as facts,
    count(*) filter (where evidence = 'quoted') as quoted,
    count(*) filter (where evidence = 'table') as "table",
    count(*) filter (where evidence = 'unseen') as unseen,
    count(*) filter (where evidence = 'assumed') as assumed
from facts left join models using (model_id)
group by grouping sets ((), (record_kind), (domain))
having grouping(domain) = 1 or domain is not null
order by grouped_by, name
