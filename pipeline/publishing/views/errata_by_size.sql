-- Published figures that contradict their own factors, furthest off first.
select
    *,
    greatest(published_figure, corrected_figure) / least(published_figure, corrected_figure) as off_by_ratio
from errata
order by off_by_ratio desc, erratum_id
