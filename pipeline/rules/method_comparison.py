"""Agreement of two independent methods, over all models and by group."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, stdev
from typing import Any

from schemas.vocabulary import Grouping, Independence, StatedMethod

Row = Mapping[str, Any]
NEAR = {"share_within_1_7_fraction": 1.7, "share_within_2_fraction": 2.0, "share_within_3_fraction": 3.0}


def compared(estimates: Iterable[Row]) -> list[Row]:
    """Rows of `method_comparison`: the models whose two methods are independent."""
    return [
        {**row, "has_imputed_inputs": row["imputed_inputs"] is not None}
        for row in estimates
        if row["independence"] == Independence.INDEPENDENT
    ]


def summary(compared: Iterable[Row]) -> list[Row]:
    """Rows of `method_comparison_summary`.

    The ratio of the methods over all, by domain, by year and by whether an input is imputed.
    """
    groups = defaultdict(list)
    for row in compared:
        groups[Grouping.ALL, "all"].append(row["method_ratio"])
        groups[Grouping.DOMAIN, row["domain"]].append(row["method_ratio"])
        groups[Grouping.YEAR, str(row["published_year"])].append(row["method_ratio"])
        groups[Grouping.IMPUTED, "imputed" if row["has_imputed_inputs"] else "stated"].append(row["method_ratio"])
    return [_group(grouping, group, ratios) for (grouping, group), ratios in groups.items()]


def published(external_estimates: Iterable[Row]) -> list[Row]:
    """The same for pairs of external estimates of one source for one model: by operations, and by GPU time."""
    stated: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for row in external_estimates:
        if row["stated_method"]:
            stated[row["source"], row["model_id"]][row["stated_method"]] = row["stated_flop"]
    ratios = defaultdict(list)
    for (source, _), by in sorted(stated.items()):
        if len(by) == len(StatedMethod):
            ratios[source].append(by[StatedMethod.OPERATION_COUNT] / by[StatedMethod.GPU_TIME])
    return [_group(Grouping.PUBLISHED, source, own) for source, own in ratios.items()]


def _group(grouping: Grouping, group: str, ratios: Sequence[float]) -> Row:
    logs = [math.log(ratio) for ratio in sorted(ratios)]
    return {
        "grouping": grouping.value,
        "group": group,
        "models_number": len(logs),
        "geometric_mean_ratio": math.exp(fmean(logs)),
        "geometric_standard_deviation": math.exp(stdev(logs)) if len(logs) > 1 else None,
        **{name: sum(abs(log) <= math.log(limit) for log in logs) / len(logs) for name, limit in NEAR.items()},
    }
