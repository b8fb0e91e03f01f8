-- Reasons why we corrected or dropped other people's values, most frequent first.
select reason, count(*) as values_number
from adjudication_outcomes
where outcome in ('corrected', 'dropped')
group by reason
order by values_number desc, reason
