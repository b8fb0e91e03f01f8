"""Training compute over time: one point a model, those at the frontier, and how fast the frontier grows."""

import math
from collections.abc import Sequence
from statistics import linear_regression
from typing import NamedTuple

from pipeline.site import numbers
from pipeline.site.ledger import Row
from pipeline.text.numbers import written_date

# Groups of domains, in the order of the colours.
GROUPS = {
    "Language": ("language",),
    "Multimodal": ("multimodal",),
    "Vision": ("vision",),
    "Image and video generation": ("image_generation", "video"),
    "Speech": ("speech",),
    "Games and robotics": ("games", "robotics"),
    "Biology and other": ("biology", "recommendation", "other"),
}
GROUP_OF = {domain: group for group, domains in GROUPS.items() for domain in domains}
FIRST_YEAR = 2010  # of the chart; the table has all
FRONTIER = 10  # a model is at the frontier if it is among this many largest when it is published
DAYS_A_YEAR = 365.25


class Trend(NamedTuple):
    """Growth of the compute of models at the frontier: months to double, the line's ends, number of models."""

    doubling_months: float
    first: tuple[float, float]
    last: tuple[float, float]
    number: int


def points(models: Sequence[Row]) -> list[Row]:
    """One row a model with an estimate that was not fine-tuned from another, as the chart needs it; the oldest first."""
    known = [row for row in models if row["training_flop"] is not None and row.get("base_model") is None]
    return sorted(map(_point, known), key=lambda row: (row["date"], row["id"]))


def _point(row: Row) -> Row:
    return {
        "id": row["model_id"],
        "name": row["name"],
        "organization": row["organization"],
        "group": GROUP_OF.get(row["domain"], "Biology and other"),
        "date": numbers.middle(row["published"]).isoformat(),
        "published": written_date(row["published"]),
        "flop": _rounded(row["training_flop"]),
        "low": _rounded(row["training_flop_low"]),
        "high": _rounded(row["training_flop_high"]),
        "words": f"{numbers.power(row['training_flop'])} FLOP",
        "interval": numbers.interval_text(row["training_flop_low"], row["training_flop_high"]),
        "link": f"models/{row['model_id']}.html",
    }


def _rounded(value: float) -> float:
    return float(f"{value:.6g}")


def years(day: str) -> float:
    """A date as years.

    >>> years("2000-01-01")
    2000.0
    """
    year, month, number = map(int, day.split("-"))
    return round(year + ((month - 1) * 30.4375 + number - 1) / DAYS_A_YEAR, 4)


def day(when: float) -> str:
    """The middle of the month of a time in years."""
    month = min(12, 1 + int((when % 1) * 12))
    return f"{int(when)}-{month:02d}-15"


def frontier(rows: Sequence[Row]) -> list[Row]:
    """The rows among the largest of all that were published until then."""
    rows_at_it: list[Row] = []
    largest: list[float] = []
    for row in rows:
        if len(largest) < FRONTIER or row["flop"] > largest[-1]:
            rows_at_it.append(row)
            largest = sorted([*largest, row["flop"]], reverse=True)[:FRONTIER]
    return rows_at_it


def trend(rows: Sequence[Row], first_year: int = FIRST_YEAR) -> Trend | None:
    """A line through the logarithms of models at the frontier from a year on; None where they are fewer than three.

    `rows` begin before that year, since the frontier of its first models is of those before them.
    """
    fitted = [row for row in frontier(rows) if row["date"] >= f"{first_year}"]
    if len({row["date"] for row in fitted}) < 3:
        return None
    when = [years(row["date"]) for row in fitted]
    slope, intercept = linear_regression(when, [math.log(row["flop"]) for row in fitted])
    ends = [(time, math.exp(intercept + slope * time)) for time in (when[0], when[-1])]
    return Trend(12 * math.log(2) / slope, *ends, len(fitted))
