-- Per stratum: how many values there are, how many were drawn, the outcomes, and how many were off by more than
-- `near_ratio`.
select
    stratum,
    count(*) as drawn,
    round(sum(sampling_weight::decimal(38, 9)))::bigint as drawn_of,
    count(*) filter (where outcome = 'corrected') as corrected,
    count(*) filter (where outcome = 'dropped') as dropped,
    count(*) filter (where outcome = 'suspected') as suspected,
    count(*) filter (where outcome = 'standing') as standing,
    count(*) filter (where outcome = 'corrected' and off_by_ratio > "check".near_ratio) as beyond
from adjudication_outcomes cross join params
group by stratum
