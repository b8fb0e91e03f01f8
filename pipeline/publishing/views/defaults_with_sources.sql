-- Defaults with the title and address of their source.
select d.*, s.title, s.url
from defaults d join sources s on (s.record_kind, s.record_id, s.source) = ('defaults', d.record_id, d.source)
order by d.quantity, d.applies_to
