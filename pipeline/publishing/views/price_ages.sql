-- Per chip: how many prices there are, their dates, and how many models were trained on the chip.
select h.name, hardware_id, count(*) filter (price_kind = 'purchase') as purchases,
    count(*) filter (price_kind = 'rent') as rents, min(price_date) as first_date, max(price_date) as last_date,
    (select count(distinct model_id) from allocations a where a.hardware_id = h.hardware_id) as models
from hardware_prices join hardware h using (hardware_id)
group by all order by models desc, hardware_id
