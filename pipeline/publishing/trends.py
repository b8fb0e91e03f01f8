"""How fast training compute grows with the date of publication: one rule, of all models or of a selection, for every interface."""

from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import duckdb

from pipeline.publishing.rows import Row, rows

SQL = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8")
FIRST_YEAR = 2010  # of the period, where none is chosen
FRONTIERS = ("all", "top 10", "top 5", "top 1")
FRONTIER = "top 10"  # by which growth is told in one number
GIVEN = """with trend_models as (
    select unnest($organizations::varchar[]) as parent_organization, unnest($dates::date[]) as published_date,
        unnest($flop::double[]) as training_flop,
        year(published_date) >= $first_year as is_in_period
) from ({})"""


def trends(models: Iterable[Mapping[str, Any]], first_year: int = FIRST_YEAR) -> list[Row]:
    """The rows of the view `trends` for these rows of estimates; growth is of those of the first year or later.

    Models without an estimate and those made from a base model are left out; there is no row where too few are left for a line.
    """
    known = [row for row in models if row["training_flop"] is not None and row.get("base_model") is None]
    with duckdb.connect() as connection:
        return rows(
            connection,
            GIVEN.format(SQL),
            organizations=[row["parent_organization"] or row["organization"] for row in known],
            dates=[row["published_date"] or date.fromisoformat(row["published"]) for row in known],
            flop=[row["training_flop"] for row in known],
            first_year=first_year,
        )


def trend(models: Iterable[Mapping[str, Any]], first_year: int = FIRST_YEAR) -> Row | None:
    """That of the largest models when they were published; None where there are too few for a line."""
    return next((row for row in trends(models, first_year) if row["frontier"] == FRONTIER), None)


def sentence(row: Mapping[str, Any]) -> str:
    """One line for text and captions.

    >>> day = date(2010, 3, 1)
    >>> ends = {"first_published_date": day, "last_published_date": day.replace(year=2026), "models_number": 106}
    >>> ends |= {"organizations_number": 39, "growth_factor": 4.62, "growth_factor_low": 4.22, "growth_factor_high": 5.06}
    >>> sentence({**ends, "doubling_months": 5.435, "doubling_months_low": 5.13, "doubling_months_high": 5.78})
    '×4.62 a year (90 %: 4.22 to 5.06), doubling in 5.4 months (5.1 to 5.8): 106 models of 39 organizations, 2010 to 2026'
    """
    low, high = row["doubling_months_low"], row["doubling_months_high"]
    months = (
        f", doubling in {row['doubling_months']:.1f} months ({low:.1f} to {high:.1f})" if high else ", no doubling time"
    )
    return (
        f"×{row['growth_factor']:#.3g} a year (90 %: {row['growth_factor_low']:#.3g} to {row['growth_factor_high']:#.3g}){months}:"
        f" {row['models_number']} models of {row['organizations_number']} organizations,"
        f" {row['first_published_date']:%Y} to {row['last_published_date']:%Y}"
    )
