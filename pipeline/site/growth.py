"""The points and the trend line in charts of training compute over time."""

from collections.abc import Sequence
from datetime import date

from pipeline.base.text import numbers as plain
from pipeline.site import numbers
from pipeline.site.ledger import Row

# The groups, in the order of their colours.
GROUPS = {
    "Language": ("language",),
    "Multimodal": ("multimodal",),
    "Vision": ("vision",),
    "Image and video generation": ("image_generation", "video"),
    "Speech": ("speech",),
    "Games and robotics": ("games", "robotics"),
    "Biology and other": ("biology", "recommendation", "other"),
}
OTHERS = "Stated by others"  # models without an estimate: hollow marks at figures stated by others, in no trend
FLOORS = "At least"  # models with a part that is not known: hollow arrows at their lower bounds, in no trend
GROUP_OF = {domain: group for group, domains in GROUPS.items() for domain in domains}
# Charts name these models, and every model that set a record in this year or later.
NAMED = {"models": ("gpt-4",), "first_year": 2017}


def points(models: Sequence[Row]) -> list[Row]:
    """Return one row per model that is not fine-tuned and has an estimate or another's figure, oldest first."""
    drawn = [row for row in models if row.get("base_model") is None]
    with_estimate = [_point(row) for row in drawn if row["training_flop"] is not None]
    others = [_stated(row) for row in drawn if row["training_flop"] is None and row.get("external_flop") is not None]
    return sorted(with_estimate + others, key=lambda row: (row["date"], row["id"]))


def _point(row: Row) -> Row:
    return {
        **_who(row),
        "group": GROUP_OF.get(row["domain"], "Biology and other"),
        "flop": _rounded(row["training_flop"]),
        "low": _rounded(row["training_flop_low"]),
        "high": _rounded(row["training_flop_high"]),
        "words": f"{numbers.power(row['training_flop'])} FLOP",
        "interval": numbers.interval_text(row["training_flop_low"], row["training_flop_high"]),
    }


def _stated(row: Row) -> Row:
    flop = _rounded(row["external_flop"])
    words = f"{plain.bounded(numbers.power(flop), row['external_bound'])} FLOP, {row['external_title']}"
    return {**_who(row), "group": OTHERS, "flop": flop, "low": flop, "high": flop, "words": words, "interval": "–"}


def _who(row: Row) -> Row:
    return {
        "id": row["model_id"],
        "name": row["name"],
        "organization": row["organization"],
        "date": row["published_date"].isoformat(),
        "published": plain.written_date(row["published"]),
    }


def line(rows: Sequence[Row], trend: Row) -> list[Row]:
    """Return the two ends of the trend line: the first and last dates at which a model with an estimate reaches it.

    The line does not extend into years without such a model.
    """
    first, last = trend["first_published_date"], trend["last_published_date"]

    def trend_on(day: date) -> Row:
        elapsed_fraction = (day - first) / (last - first)
        return {
            "date": day.isoformat(),
            "flop": trend["first_flop"] * (trend["last_flop"] / trend["first_flop"]) ** elapsed_fraction,
        }

    days = [(date.fromisoformat(row["date"]), row["flop"]) for row in rows if row["group"] != OTHERS]
    reached = [day for day, flop in days if first <= day <= last and flop >= trend_on(day)["flop"]]
    return [trend_on(end(reached, default=other)) for end, other in ((min, first), (max, last))]


def named(rows: Sequence[Row]) -> list[Row]:
    """Return the points whose names a chart shows: models in NAMED, and those that set a record from NAMED's year on.

    An estimate sets a record if it exceeds all earlier estimates, and a figure stated by others if it exceeds all
    earlier points. assets/explorer.js applies the same rule to a reader's selection.
    """
    largest_estimate, largest_shown, chosen = 0.0, 0.0, []
    for row in rows:
        record_so_far = largest_shown if row["group"] == OTHERS else largest_estimate
        if row["id"] in NAMED["models"] or (row["flop"] > record_so_far and row["date"] >= f"{NAMED['first_year']}"):
            chosen.append(row)
        largest_shown = max(largest_shown, row["flop"])
        largest_estimate = largest_estimate if row["group"] == OTHERS else max(largest_estimate, row["flop"])
    return chosen


def _rounded(value: float) -> float:
    return float(f"{value:.6g}")
