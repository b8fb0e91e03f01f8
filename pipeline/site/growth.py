"""Training compute over time: one point a model."""

from collections.abc import Sequence

from pipeline.base.text.numbers import written_date
from pipeline.site import numbers
from pipeline.site.ledger import Row

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
# Of which models a chart has the names: these, and each since this year that took more than all before it.
NAMED = {"models": ("gpt-4",), "first_year": 2017}


def group_of(model: Row) -> str:
    """The group of a model's domain."""
    return GROUP_OF.get(model["domain"], "Biology and other")


def points(models: Sequence[Row]) -> list[Row]:
    """One row a model with an estimate that was not fine-tuned from another, as the chart needs it; the oldest first."""
    known = [row for row in models if row["training_flop"] is not None and row.get("base_model") is None]
    return sorted(map(_point, known), key=lambda row: (row["date"], row["id"]))


def _point(row: Row) -> Row:
    return {
        "id": row["model_id"],
        "name": row["name"],
        "organization": row["organization"],
        "group": group_of(row),
        "date": numbers.middle(row["published"]).isoformat(),
        "published": written_date(row["published"]),
        "flop": _rounded(row["training_flop"]),
        "low": _rounded(row["training_flop_low"]),
        "high": _rounded(row["training_flop_high"]),
        "words": f"{numbers.power(row['training_flop'])} FLOP",
        "interval": numbers.interval_text(row["training_flop_low"], row["training_flop_high"]),
        "link": f"models/{row['model_id']}.html",
    }


def named(rows: Sequence[Row]) -> list[Row]:
    """The points whose names a chart has; assets/explorer.js names those of a reader's selection by the same rule."""
    largest, chosen = 0.0, []
    for row in rows:
        if row["id"] in NAMED["models"] or (row["flop"] > largest and row["date"] >= f"{NAMED['first_year']}"):
            chosen.append(row)
        largest = max(largest, row["flop"])
    return chosen


def _rounded(value: float) -> float:
    return float(f"{value:.6g}")
