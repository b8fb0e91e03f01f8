"""Rows of `hardware_prices` and `grid_factors`: chip prices, and the carbon intensities of electricity grids."""

from collections.abc import Iterator

from pipeline.models.sql import Row
from pipeline.rules.ingestion import cell_of, columns, origin
from pipeline.rules.ingestion.models import middle_date
from schemas.records import Records
from schemas.spelling import find
from schemas.vocabulary import PriceKind, PriceTerms


def hardware_prices(records: Records) -> Iterator[Row]:
    """Yield one row per price of a chip, in the record's order."""
    chips = records.chip_ids()
    for identifier, record in records.hardware_prices.items():
        for index, price in enumerate(record.prices):
            is_bought = price.terms in (PriceTerms.CHIP, PriceTerms.SERVER)
            yield {
                "record_id": identifier,
                "price_index": index,
                "hardware_id": find(price.chip, chips),
                "price_date": middle_date(price.date)[0],
                "price_kind": PriceKind.PURCHASE if is_bought else PriceKind.RENT,
                **columns(price, "vendor evidence via note", price_terms="terms", price_usd="amount"),
                **origin(record, price),
            }


def grid_factors(records: Records) -> Iterator[Row]:
    """Yield one row per grid (identified by its place) and year."""
    for identifier, record in records.grid_factors.items():
        for grid in record.factors:
            for year, grams in sorted(grid.grams.items()):
                yield {
                    **columns(grid, "place via"),
                    "aliases": cell_of(grid.aliases),
                    "grid_year": year,
                    "grid_g_per_kwh": grams,
                    "record_id": identifier,
                    **columns(record.sources[grid.source], "title url"),
                }
