-- How many headlines each method gives, the commonest first.
select headline_method, count(*) as models
from estimates
where headline_method is not null
group by headline_method
order by models desc, headline_method
