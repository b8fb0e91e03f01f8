-- Energy of each allocation: chip time x power x server load x data-centre overhead (methods, section 8).
with overheads as (
    -- "Google 2013" applies from 2013 until Google's next entry. An owner's first entry also applies to earlier years.
    select regexp_extract(applies_to, '^(.*) (\d+)$', 1) as owner,
        regexp_extract(applies_to, '^(.*) (\d+)$', 2)::int as year,
        default_value, log_sd,
        case when year = min(year) over (partition by owner) then 0 else year end as first_year,
        coalesce(lead(year) over (partition by owner order by year), 9999) as end_year
    from defaults where quantity = 'facility_overhead'
), operators as (select distinct owner from overheads where owner <> 'other'
), loads as (select applies_to, default_value, log_sd from defaults where quantity = 'chip_load'
), owned as (
    select a.*, h.generation, power_watts, stated_facility_overhead_ratio,
        stated_facility_overhead_log_sd, models.published_year,
        -- If a chip's maker operates data centres, we assume that the chip runs there, whoever trains on it.
        case when stated_facility_overhead_ratio is not null then 'stated'
             when maker.owner is not null then 'chip_maker' when trainer.owner is not null then 'operator'
             else 'usual' end as overhead_basis,
        coalesce(maker.owner, trainer.owner, 'other') as owner,
        power_watts is not null and chip_seconds is not null as is_known
    from completed_allocations a left join runs using (model_id, phase) left join hardware h using (hardware_id)
    left join models using (model_id) left join operators maker on maker.owner = manufacturer
    left join operators trainer on trainer.owner = parent_organization
), powered as (
    -- Use a load measured on the same chip, otherwise on its generation, otherwise the mean of all chips.
    select owned.*, coalesce(of_chip.applies_to, of_generation.applies_to, 'gpu') as load_case
    from owned left join loads of_chip on of_chip.applies_to = hardware_id
    left join loads of_generation on of_generation.applies_to = generation
)
select model_id, phase, allocation, chip_seconds, power_watts,
    l.default_value as chip_load_ratio, l.applies_to as chip_load_case,
    case when is_known then coalesce(stated_facility_overhead_ratio, o.default_value) end as facility_overhead_ratio,
    case when is_known then overhead_basis end as facility_overhead_basis,
    chip_seconds * power_watts * chip_load_ratio * facility_overhead_ratio / 3.6e6::double as energy_kwh,
    (chip_seconds_log_sd ** 2 + l.log_sd ** 2 + case overhead_basis when 'stated'
        then coalesce(stated_facility_overhead_log_sd, 0) else o.log_sd end ** 2) ** 0.5 as energy_log_sd
from powered
left join loads l on is_known and l.applies_to = load_case
left join overheads o on o.owner = powered.owner and published_year >= first_year and published_year < end_year
