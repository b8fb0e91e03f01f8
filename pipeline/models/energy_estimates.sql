-- Energy of each allocation: chip time x power x load of the server x overhead of the data centre (methods, section 8).
with overheads as (
    -- "Google 2013" holds from 2013 until the owner's next entry; an owner's first also for the years before
    select regexp_extract(applies_to, '^(.*) (\d+)$', 1) as owner,
        regexp_extract(applies_to, '^(.*) (\d+)$', 2)::int as year,
        default_value, log_sd,
        case when year = min(year) over (partition by owner) then 0 else year end as first_year,
        coalesce(lead(year) over (partition by owner order by year), 9999) as end_year
    from defaults where quantity = 'facility_overhead'
), powered as (
    select a.*, power_watts, published_year, case when generation = 'tpu' then 'tpu' else 'gpu' end as kind,
        case when parent_organization in (select owner from overheads where owner <> 'other') then parent_organization
             else 'other' end as owner,
        power_watts is not null and chip_seconds is not null as is_known
    from completed_allocations a left join hardware using (hardware_id) left join models using (model_id)
)
select model_id, phase, allocation, chip_seconds, power_watts,
    case when is_known then l.default_value end as chip_load_ratio,
    case when is_known then o.default_value end as facility_overhead_ratio,
    chip_seconds * power_watts * chip_load_ratio * facility_overhead_ratio / 3.6e6::double as energy_kwh,
    case when is_known then (chip_seconds_log_sd ** 2 + l.log_sd ** 2 + o.log_sd ** 2) ** 0.5 end as energy_log_sd
from powered
left join defaults l on l.quantity = 'chip_load' and l.applies_to = kind
left join overheads o on o.owner = powered.owner and published_year >= first_year and published_year < end_year
