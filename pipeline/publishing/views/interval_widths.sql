-- One row: how many headlines have an interval, the median ratio of its ends, and how many have both ends near.
select
    count(*) as models,
    median(training_flop_high / training_flop_low) as median_ratio,
    count(*) filter (where training_flop_high / training_flop_low <= "check".near_ratio ** 2) as narrow
from estimates cross join params
where training_flop_low is not null
