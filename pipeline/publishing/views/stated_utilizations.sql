-- Utilizations stated in publications, with the chip's name. The P100 study is left out, because it is compared
-- separately.
select r.*, h.name as chip
from reported_utilizations r left join hardware h on h.hardware_id = r.hardware_id
where measurement_id <> 'p100-study'
order by measurement_id, row
