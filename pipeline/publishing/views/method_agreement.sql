-- Models with both methods, how many agree, and the ratio of count to GPU time, per domain; a null `domain` means all
-- domains.
select
    domain,
    count(*) as models,
    count(*) filter (where not is_disputed) as agreeing,
    count(*) filter (where is_disputed and method_ratio < 1) as below,
    count(*) filter (where is_disputed and method_ratio > 1) as above,
    median(method_ratio) as median_ratio
from estimates
where method_ratio is not null
group by grouping sets ((), (domain))
order by domain is not null, models desc, domain
