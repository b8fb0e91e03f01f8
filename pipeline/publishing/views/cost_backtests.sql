-- Our figures compared with other people's, one row per kind of figure: how many there are, how many are within our
-- 90 % interval, and how far they are off.
with pairs as (
    select 1 as place, 'Epoch: chips amortized and energy' as figure, cost_ratio as ratio, is_held from cost_comparison
    where cost_ratio is not null
    union all
    select if(has_same_hours, 2, 3), 'Epoch: the same, of ' || if(has_same_hours, 'the same chip-hours (within 5 %)',
        'other or unknown chip-hours'), cost_ratio, is_held
    from (select *, coalesce(abs(ln(chip_hours / epoch_chip_hours)) <= ln(1.05), false) as has_same_hours
        from cost_comparison where cost_ratio is not null)
    union all
    select 4, 'Epoch: cloud', rent_usd / epoch_cloud_usd, null from cost_comparison
    where rent_usd is not null and epoch_cloud_usd is not null
    union all
    select 5, 'Epoch: bought', purchase_usd / epoch_upfront_usd, null from cost_comparison
    where purchase_usd is not null and epoch_upfront_usd is not null
    union all
    select 6, 'Authors: energy', ratio, is_held from footprint_comparison
    where footprint = 'energy' and ours is not null
    union all
    select 7, 'Authors: greenhouse gases', ratio, is_held from footprint_comparison
    where footprint = 'co2' and ours is not null
)
select place, figure, count(*) as compared, count(*) filter (is_held) as held, count(is_held) as intervals,
    count(*) filter (ratio between 0.5 and 2) as within_two,
    exp(median(abs(ln(ratio)))) as median_factor, median(ratio) as median_ratio
from pairs group by all order by place
