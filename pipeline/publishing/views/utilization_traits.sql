-- Measured, stated, implied and gold utilizations by year, generation of chips, precision and number of chips: how many
-- there are, their quartiles and median. A measurement has its source's year; runs from tables have none.
with points as (
    select 'measured' as kind, source_year::int as year, c.hardware_id, c.precision, c.chips,
        measured_utilization_fraction as utilization
    from checks c
    left join measurements m using (measurement_id, row)
    left join sources s on (s.record_kind, s.record_id, s.source) = ('measurements', c.measurement_id, m.source)
    union all
    select kind, year, hardware_id, precision, chips, utilization_fraction from utilization_cases
), traits as (
    select p.*, unnest([
        {'trait': 'year', 'value': year::varchar, 'place': year::double},
        {'trait': 'generation', 'value': generation, 'place': left(released, 4)::double},
        {'trait': 'format', 'value': upper(p.precision), 'place': 0.0},
        {'trait': 'chips', 'value': case
            when chips = 1 then '1' when chips <= 8 then '2 to 8' when chips <= 64 then '9 to 64'
            when chips <= 512 then '65 to 512' when chips <= 4096 then '513 to 4,096' else 'more than 4,096' end,
            'place': case when chips is not null then least(ceil(log2(chips) / 3), 5) end}
    ], recursive := true)
    from points p left join hardware using (hardware_id)
)
select trait, value, min(min(place)) over (partition by trait, value) as place, kind, count(*) as number,
    quantile_cont(utilization, 0.25) as p25, median(utilization) as median, quantile_cont(utilization, 0.75) as p75
from traits
where value is not null and (trait <> 'chips' or chips is not null)
group by trait, value, kind
order by trait, place, value, kind
