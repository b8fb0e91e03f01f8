"""The gold page: the error of each way of estimating, on whole runs whose operations and time are known."""

from collections.abc import Sequence
from math import exp, fsum, log

from pipeline.site.report import Row
from schemas.vocabulary import GoldGrouping

# The 95 % point of a logistic distribution, in units of its scale (methods, section 4).
LOGISTIC_REACH_95 = log(0.95 / 0.05)
FEWEST_GROUPS = 2  # a trait is shown if it has at least this many groups
WIDTHS = ("whole_run", "gpu_time_up", "gpu_time_down")


def page(
    gold_runs: Sequence[Row], gold_scores: Sequence[Row], hardware: Sequence[Row], defaults: Sequence[Row],
) -> Row:  # fmt: skip
    """Return the page's values from the tables that its arguments name."""
    names = {row["hardware_id"]: row["name"] for row in hardware}
    groups = {row["gold_group_id"] for row in gold_runs}
    return {
        "runs": [{**row, "chip": names.get(row["hardware_id"], row["hardware_id"])} for row in gold_runs],
        "groups": groups,
        "owners": owners(gold_runs),
        "scores": {
            grouping.words: [
                row for row in gold_scores if row["gold_grouping"] == grouping and row["groups_number"] >= FEWEST_GROUPS
            ]
            for grouping in GoldGrouping
            if grouping != GoldGrouping.ALL
        },
        "all": [row for row in gold_scores if row["gold_grouping"] == GoldGrouping.ALL],
        "widths": widths(gold_runs, defaults),
    }


def owners(gold_runs: Sequence[Row]) -> list[Row]:
    """Return each owner with its number of runs and its share of the weight, largest share first."""
    weights_by_owner: dict[str, list[float]] = {}
    for row in gold_runs:
        weights_by_owner.setdefault(row["owner"], []).append(row["weight"])
    whole = fsum(fsum(weights) for weights in weights_by_owner.values())
    shares = [
        {"owner": owner, "runs": len(weights), "share": round(fsum(weights) / whole, 9)}
        for owner, weights in weights_by_owner.items()
    ]
    return sorted(shares, key=lambda row: (-row["share"], row["owner"]))


def widths(gold_runs: Sequence[Row], defaults: Sequence[Row]) -> list[Row]:
    """Return the three numbers for the error of GPU time, as stored and as gold runs imply them, or no rows if either is missing.

    `whole_run` is the weighted median of counted over predicted FLOP. The two half-widths are those of a logistic
    distribution with the same 5 % and 95 % points around this median.
    """
    stored = {row["applies_to"]: row["default_value"] for row in defaults if row["quantity"] == "uncertainty"}
    logs = sorted(
        (log(row["operation_count_flop"] / row["gpu_time_informed_flop"]), row["weight"])
        for row in gold_runs
        if row["gpu_time_informed_flop"]
    )
    if not logs or not stored.keys() >= {*WIDTHS}:
        return []
    low, middle, high = (weighted_point(logs, share) for share in (0.05, 0.5, 0.95))
    gold = (exp(middle), (high - middle) / LOGISTIC_REACH_95, (middle - low) / LOGISTIC_REACH_95)
    return [{"name": name, "stored": stored[name], "gold": value} for name, value in zip(WIDTHS, gold, strict=True)]


def weighted_point(pairs: Sequence[tuple[float, float]], share: float) -> float:
    """Return the value below which this share of the weight lies. `pairs` holds values with weights, in ascending order.

    >>> weighted_point([(1.0, 1.0), (2.0, 1.0), (9.0, 2.0)], 0.5), weighted_point([(1.0, 3.0), (9.0, 1.0)], 0.5)
    (2.0, 1.0)
    """
    whole, below = fsum(weight for _, weight in pairs), 0.0
    for value, weight in pairs:
        below += weight
        if below >= share * whole - 1e-9:
            return value
    return pairs[-1][0]
