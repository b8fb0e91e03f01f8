-- Measured throughputs with their network, chip, generation and source.
select
    c.*,
    m.architecture_id,
    m.examples_per_second,
    regexp_extract(m.architecture_id, '[^/]*$') as architecture,
    h.name as chip,
    h.generation,
    s.source,
    s.title,
    s.url
from checks c
join measurements m using (measurement_id, row)
join hardware h on h.hardware_id = c.hardware_id
left join sources s on (s.record_kind, s.record_id, s.source) = ('measurements', c.measurement_id, m.source)
order by measurement_id, row
