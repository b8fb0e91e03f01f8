"""Compute how training compute grows with the date of publication, by one rule for all selections and interfaces."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

import duckdb

from pipeline.publishing.rows import Row, rows
from pipeline.publishing.views import VIEWS

FIRST_YEAR = 2010  # default first year of the period
RECENT_YEAR = 2020  # first year of a second period, shown next to the first
FRONTIERS = ("all sizes", "top 10", "top 5", "top 1")
FRONTIER = "top 10"  # the frontier whose growth we give as the single figure
LEAST = {"models": 25, "years": 5, "organizations": 6}  # for a line, as in trends.sql
TOO_FEW = "fewer than {models} models, {years} years or {organizations} organizations".format(**LEAST)
EPOCH = (  # from Sevilla, Training compute of frontier AI models grows by 4-5x per year, Epoch AI, 28 May 2024
    "Epoch AI found ×4.1 a year (90 %: 3.7 to 4.6) among notable models of all sizes and ×5.3 (4.9 to 5.7) among the"
    " top 10, 2010 to May 2024: https://epoch.ai/blog/training-compute-of-frontier-ai-models-grows-by-4-5x-per-year"
)
GIVEN = """with trend_models as (
    select unnest($organizations::varchar[]) as parent_organization, unnest($dates::date[]) as published_date,
        unnest($flop::double[]) as training_flop,
        year(published_date) >= $first_year as is_in_period
) from ({})"""


def trends(models: Iterable[Mapping[str, Any]], first_year: int = FIRST_YEAR) -> list[Row]:
    """Return the rows of the view `trends` for these rows of estimates.

    Growth is fitted to models published since `first_year`. Models without an estimate and models made from a base
    model are left out. There is no row for a line with too few models.
    """
    known = [row for row in models if row["training_flop"] is not None and row.get("base_model") is None]
    with duckdb.connect() as connection:
        return rows(
            connection,
            GIVEN.format(VIEWS["trends"].sql),
            organizations=[row["parent_organization"] for row in known],
            dates=[row["published_date"] or date.fromisoformat(row["published"]) for row in known],
            flop=[row["training_flop"] for row in known],
            first_year=first_year,
        )


def trend(models: Iterable[Mapping[str, Any]], first_year: int = FIRST_YEAR) -> Row | None:
    """Return the trend of the models that were among the largest when published; None if too few for a line."""
    return next((row for row in trends(models, first_year) if row["frontier"] == FRONTIER), None)
