-- One row: how many headlines have an interval, the median ratio of the interval's ends, and how many intervals are
-- narrow.
select
    count(*) as models,
    median(training_flop_high / training_flop_low) as median_ratio,
    count(*) filter (where training_flop_high / training_flop_low <= "check".near_ratio ** 2) as narrow
from estimates cross join params
where training_flop_low is not null
