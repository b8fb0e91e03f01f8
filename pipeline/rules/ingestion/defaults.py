"""Rows of `defaults` and `year_peaks`, each with the case to which it applies."""

import math
from collections.abc import Iterator

from pipeline.models.sql import Row
from pipeline.rules.ingestion import columns, source_of
from pipeline.rules.ingestion.models import published_year
from schemas import vocabulary
from schemas.records import Default, Defaults, Records, Spread, YearPeakSeries


def defaults(records: Records) -> list[Row]:
    """Return one row per default and case, and one per standard deviation that belongs to no default."""
    return [row for identifier, record in records.defaults.items() for row in _rows_of_defaults(identifier, record)]


def year_peaks(records: Records) -> list[Row]:
    """Return one row per year and kind of precision, up to the year after the last entry or the newest model's year.

    The peak of a year without an entry comes from the fitted trend. After the last entry, it is at least that entry's.
    """
    last_year = max([published_year(model) for model in records.models.values()], default=0)
    return [
        row
        for record in records.defaults.values()
        for applies_to, series in record.series.items()
        for row in _years(applies_to, series, record, last_year)
    ]


def _rows_of_defaults(identifier: str, record: Defaults) -> Iterator[Row]:
    """Yield a row per default value, with its spread if stated, then a row per spread that belongs to no value."""
    spreads = {spread.applies_to: spread for spread in record.spreads}
    for value in record.values:
        spread = spreads.pop(value.applies_to, None)
        log_sd = math.log(spread.spread) if spread else None
        yield _row(identifier, record, record.quantity, value, value.value, log_sd)
    for lone_spread in spreads.values():
        quantity = record.quantity if record.quantity.endswith("spread") else f"{record.quantity}_spread"
        yield _row(identifier, record, quantity, lone_spread, lone_spread.spread, math.log(lone_spread.spread))


def _row(
    identifier: str, record: Defaults, quantity: str, entry: Default | Spread, value: float, log_sd: float | None
) -> Row:
    return {
        "quantity": quantity,
        **columns(entry, "applies_to evidence note", default_basis="basis"),
        "default_value": value,
        "log_sd": log_sd,
        "record_id": identifier,
        "source": source_of(record, entry),
    }


def _years(applies_to: str, series: YearPeakSeries, record: Defaults, last_year: int) -> Iterator[Row]:
    """Yield the peak of each year from the first one on: as stated, or else from the fit.

    After the last entry, the peak is at least that entry's. A series without a fit is that of a maker's own chips: each
    entry is valid until the next.
    """
    entries, fit = {entry.year: entry for entry in series.years}, series.fit
    latest = entries[max(entries)]
    for year in range(fit.first_year if fit else min(entries), max(last_year, latest.year + 1) + 1):
        entry, basis = entries.get(year), vocabulary.Basis.DEFAULT_YEAR
        if fit is None:
            entry, basis = entries[max(since for since in entries if since <= year)], vocabulary.Basis.DEFAULT_MAKER
        if entry:
            value, width, source = entry.value, entry.spread, source_of(record, entry)
        elif fit:
            fitted = 10 ** (fit.intercept + fit.slope * (year - fit.origin))
            value = max(fitted, latest.value) if year > latest.year else fitted
            width, source = fit.spread, source_of(record, fit)
            basis = vocabulary.Basis.DEFAULT_NEAREST_YEAR
        yield {
            "published_year": year,
            "applies_to": applies_to,
            "peak_flop_per_second": value,
            "log_sd": math.log(width),
            "peak_basis": basis,
            "source": source,
        }
