-- For each allocation of chips: the assumed day on which training began, the chip-hours, and the price defaults as the
-- maps `cost` and `terms_ratio`.
with numbers as (
    select map_from_entries(list((applies_to, default_value) order by applies_to) filter (quantity = 'cost')) as cost,
        map_from_entries(list((applies_to, default_value) order by applies_to) filter (quantity = 'price_terms'))
            as terms_ratio
    from defaults
)
select c.model_id, c.phase, c.allocation, c.hardware_id, a.chips, c.chip_seconds / 3600 as chip_hours,
    c.chip_seconds_log_sd, cost, terms_ratio,
    -- Training began before publication by an assumed delay plus, if the number of chips is known, the run's length.
    m.published_date - round(cost['days_before_publication'] + coalesce(c.chip_seconds / a.chips / 86400, 0))::int
        as began_date
from completed_allocations c join allocations a using (model_id, phase, allocation) join models m using (model_id)
cross join numbers
