"""The points, names and trend line in charts of training compute, or another quantity, over time."""

import math
from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta

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
HOLLOW = (FLOORS, OTHERS)
# A chart names at most MOST_NAMES of CANDIDATES: so many of each year, of the last twelve months, and of OTHERS first.
NAMED = {"year": 2, "recent": 6, "others": 4}
MOST_NAMES, CANDIDATES = 20, 40


def points(models: Sequence[Row]) -> list[Row]:
    """Return the points of models that are not fine-tuned, oldest first."""
    return [point for point in all_points(models) if not point["is_fine_tuned"]]


def all_points(models: Sequence[Row], quantity: str = "training_flop") -> list[Row]:
    """Return one row per model with this quantity, oldest first. `flop` is the value, in the unit of the quantity.

    A model without an estimate of training compute is at the lower bound from its known parts, or otherwise at a figure
    stated by others. assets/explorer.js does the same.
    """
    found = (_point(row, quantity) for row in models)
    return sorted((point for point in found if point), key=lambda point: (point["date"], point["id"]))


def _point(row: Row, quantity: str) -> Row | None:
    group, value = GROUP_OF.get(row["domain"], "Biology and other"), row[quantity]
    bound, more = None, ""
    if value is None and quantity == "training_flop":
        value, bound, group = row.get("training_flop_at_least"), "at_least", FLOORS
        more = ": a part of its training is not known"
        if value is None:
            value, bound, group = row.get("external_flop"), row.get("external_bound"), OTHERS
            more = f", {row.get('external_title')}"
    if value is None:
        return None
    low, high = (row.get(f"{quantity}_{end}") or value for end in ("low", "high"))
    return {
        "id": row["model_id"],
        "name": row["name"],
        "organization": row["organization"],
        "date": row["published_date"].isoformat(),
        "published": plain.written_date(row["published"]),
        "group": group,
        **{name: float(f"{number:.6g}") for name, number in (("flop", value), ("low", low), ("high", high))},
        "words": f"{plain.bound_text(numbers.power(value), bound)} FLOP{more}",
        "interval": numbers.interval_text(low, high) if low < high else "–",
        "is_fine_tuned": row.get("base_model") is not None,
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

    days = [(date.fromisoformat(row["date"]), row["flop"]) for row in rows if row["group"] not in HOLLOW]
    reached = [day for day, flop in days if first <= day <= last and flop >= trend_on(day)["flop"]]
    return [trend_on(end(reached, default=other)) for end, other in ((min, first), (max, last))]


def labelled_points(rows: Sequence[Row]) -> list[Row]:
    """Return the points to name, most important first: the largest of each year, of the last twelve months, and of OTHERS.

    Importance is the rank among these, as a share of the number in NAMED. assets/explorer.js does the same.
    """
    newest = max((date.fromisoformat(row["date"]) for row in rows), default=date.min + timedelta(days=365))
    year_ago, ranks, importance = (newest - timedelta(days=365)).isoformat(), Counter[str](), {}
    for row in sorted(rows, key=lambda row: -row["flop"]):
        kinds = {row["date"][:4]: "year", **({"recent": "recent"} if row["date"] > year_ago else {})}
        if row["group"] in HOLLOW:
            kinds = {"others": "others"} if row["group"] == OTHERS else {}
        ranks.update(kinds.keys())
        importance[row["id"]] = min((ranks[key] / NAMED[kind] for key, kind in kinds.items()), default=math.inf)
    chosen = sorted(rows, key=lambda row: (importance[row["id"]], -row["flop"]))
    return [row for row in chosen if importance[row["id"]] < math.inf][:CANDIDATES]
