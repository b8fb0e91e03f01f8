-- Owners of gold runs, their number of runs, and their share of the votes (one vote per group).
select owner, count(*) as runs, sum(weight) / sum(sum(weight)) over () as vote_fraction
from gold_runs
group by owner
order by vote_fraction desc, owner
