"""One row a place and year, with what its electricity emits."""

from schemas import columns
from schemas.contract import Contract


class GridFactors(Contract, grain="place grid_year"):
    place = columns.place()
    grid_year = columns.grid_year()
    grid_g_per_kwh = columns.grid_g_per_kwh()
    record_id = columns.record_id()
    title = columns.title()
    url = columns.url(null=columns.NO_URL)
    via = columns.via()
