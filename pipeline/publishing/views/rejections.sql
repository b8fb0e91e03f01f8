-- Rejected measurements by reason, most frequent first, with their notes.
select
    rejection_reason,
    count(*) as measurements,
    list({'measurement_id': measurement_id, 'row': row, 'note': note} order by measurement_id, row) as rejected
from rejected_measurements
group by rejection_reason
order by measurements desc, rejection_reason
