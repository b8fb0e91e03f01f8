-- Measured throughputs with their network, chip and generation.
select
    c.*,
    m.architecture_id,
    m.examples_per_second,
    regexp_extract(m.architecture_id, '[^/]*$') as architecture,
    h.name as chip,
    h.generation
from checks c
join measurements m using (measurement_id, row)
join hardware h on h.hardware_id = c.hardware_id
order by measurement_id, row
