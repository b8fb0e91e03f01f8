-- Disputes per cause, most frequent first, with unexplained disputes last.
select dispute_cause, count(*) as models
from estimates
where is_disputed
group by dispute_cause
order by dispute_cause in ('slow_unlike_others', 'unexplained'), models desc, dispute_cause
