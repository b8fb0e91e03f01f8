-- Costs in Epoch's table and ours, both in 2023 dollars; ours are converted with the price index for data processing
-- and hosting that Epoch uses. If a row's model has a record, our cost comes from the record.
with indexed as (
    select applies_to::int as year, default_value as price_index,
        max(default_value) filter (applies_to = '2023') over () as index_2023
    from defaults where quantity = 'price_index'
), ours as (
    select source_row, k.model_id, coalesce(e.published_date, k.published_date) as published_date,
        coalesce(e.cost_usd, k.cost_usd) as cost_usd, coalesce(e.cost_usd_low, k.cost_usd_low) as cost_usd_low,
        coalesce(e.cost_usd_high, k.cost_usd_high) as cost_usd_high,
        coalesce(e.cost_basis, k.cost_basis, 'no_chip_time') as cost_basis,
        coalesce(e.chip_hours, k.chip_hours) as chip_hours, coalesce(e.hardware, k.hardware) as hardware,
        coalesce(f.purchase_usd, 0) as purchase_usd, coalesce(f.rent_usd, 0) as rent_usd, e.base_model
    from catalogue_estimates k left join estimates e on e.model_id = k.model_id
    left join footprints f on f.model_id = k.model_id
)
select c.* exclude (epoch_flop, epoch_confidence), o.model_id, cost_basis, chip_hours, hardware, base_model,
    published_date, cost_usd * index_2023 / price_index as cost_usd_2023,
    cost_usd_low * index_2023 / price_index as cost_usd_2023_low,
    cost_usd_high * index_2023 / price_index as cost_usd_2023_high,
    nullif(purchase_usd, 0) as purchase_usd, nullif(rent_usd, 0) as rent_usd,
    cost_usd_2023 / epoch_cost_usd as cost_ratio,
    epoch_cost_usd between cost_usd_2023_low and cost_usd_2023_high as is_held,
    case when cost_ratio between 0.5 and 2 or cost_ratio is null then null
         when base_model is not null then 'Ours includes the base model.'
         when cost_note is not null and regexp_matches(cost_note, '(?i)hour|cloud|rent|Table') then
             'Epoch took another method here: ' || cost_note
         when epoch_chip_hours is null then
             'Epoch has no chip time here and works it out of the compute at a utilization of 0.375; ours is stated.'
         when abs(ln(epoch_cost_usd / epoch_chip_hours * chip_hours / cost_usd_2023)) > ln(3) then
             'Epoch has ' || format('{:.3g}', epoch_cost_usd / epoch_chip_hours)
             || ' dollars for an hour of its own chip time, ours are ' || format('{:.3g}', cost_usd_2023 / chip_hours)
             || ': no price of the chip explains it.'
         when abs(ln(chip_hours / epoch_chip_hours)) > ln(1.5) then
             'The chip time differs: ' || format('{:.3g}', chip_hours) || ' hours here, '
             || format('{:.3g}', epoch_chip_hours) || ' there.'
         else 'The same chip time, another price of the chip.' end as difference
from epoch_results c join ours o using (source_row) left join indexed on year = year(published_date)
where coalesce(epoch_cost_usd, epoch_cloud_usd, epoch_upfront_usd) is not null
order by epoch_cost_usd desc nulls last, source_row
