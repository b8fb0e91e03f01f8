-- Hidden facts by quantity and rule: how many there are, how many are within their interval, and the median error.
select shown_as, quantity, rule, count(*) as facts, count(*) filter (where is_in_interval) as held,
    exp(median(log_error)) as median_ratio
from hidden_facts
group by shown_as, quantity, rule
order by quantity, rule
