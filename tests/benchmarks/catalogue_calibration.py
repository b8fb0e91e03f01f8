"""How far rows of another's table miss: fits the values of data/records/defaults/catalogue.yaml, and scores intervals by folds over models.

How well a figure is known where no gross error was made comes from the ledger's own pairs of methods. What is fitted here is the rest:
how often a row errs grossly (another model of the publication, a unit, a part of the training), by how much, and what the cell that
names a base model adds. Rows of one name are one model, and have weight one together.
"""

import math
import statistics
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.special import erf

from schemas.defaults import Default, Spread
from schemas.records import Defaults

FOLDS = 5
LEVELS = (0.5, 0.8, 0.9, 0.95, 0.99)
QUARTERS = 4
# Nominal shares that the fit makes hold: the middle of the distribution is full of rows whose arithmetic is the table's own.
MATCHED = (0.8, 0.9, 0.95)
RATES = tuple(number / 100 for number in range(2, 41))
ERROR_FACTORS = (3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0, 12.0, 15.0, 20.0)
OF_BASES = 0.8  # rows beyond are of another scope (the fine-tuning alone), which no spread is to cover


class Miss(NamedTuple):
    """A row beside the table's own value: ln of theirs over ours, the method, and its log standard deviation without gross errors."""

    name: str
    method: str  # operation_count, gpu_time, base_model; another method is not fitted
    log_ratio: float
    log_sd: float


def fold_of(name: str) -> int:
    """The fold of a model, from 0; the same in every file and on every machine."""
    return zlib.crc32(" ".join(name.lower().split()).encode()) % FOLDS


def fitted(misses: Iterable[Miss]) -> dict[str, float]:
    """The values by their names in the record, spreads as factors: those of a grid by which intervals hold most nearly what they say."""
    rows = list(misses)
    times = Counter(each.name for each in rows)
    found: dict[str, float] = {}
    lowest = math.inf
    parts = {
        method: np.array([(abs(each.log_ratio), each.log_sd, 1 / times[each.name]) for each in rows if each.method == method]).reshape(-1, 3)
        for method in ("operation_count", "gpu_time")
    }  # fmt: skip
    for factor in ERROR_FACTORS:
        best = {
            method: min((_loss(own, rate, math.log(factor)), rate) for rate in RATES) for method, own in parts.items()
        }
        loss = math.fsum(parts[method][:, 2].sum() * own for method, (own, _) in best.items())
        if loss < lowest:
            lowest = loss
            found = {method: rate for method, (_, rate) in best.items()} | {"gross_error": factor}
    of_bases = sorted(abs(each.log_ratio) for each in rows if each.method == "base_model")
    far = of_bases[int(OF_BASES * len(of_bases))] if of_bases else 0.0
    return found | {"base_model": math.exp(far / statistics.NormalDist().inv_cdf(0.5 + OF_BASES / 2))}


def _loss(own: Any, rate: float, error_log_sd: float) -> float:
    """How far the shares of rows inside their central intervals are from the nominal ones."""
    if not len(own):
        return 0.0
    far, log_sd, weight = own.T
    inside = (1 - rate) * erf(far / log_sd / math.sqrt(2)) + rate * erf(
        far / np.hypot(log_sd, error_log_sd) / math.sqrt(2)
    )
    held = [(weight * (inside <= level)).sum() / weight.sum() for level in MATCHED]
    return math.fsum((share - level) ** 2 for share, level in zip(held, MATCHED, strict=True))


def with_values(record: Defaults, found: Mapping[str, float]) -> Defaults:
    """The record with fitted values in place of its own."""
    rates = {"counted": "operation_count", "not_counted": "operation_count", "gpu_time": "gpu_time"}

    def value(each: Default) -> Default:
        return each.model_copy(update={"value": found[rates[each.applies_to]]})

    def spread(each: Spread) -> Spread:
        return each.model_copy(update={"spread": found.get(each.applies_to, each.spread)})

    return record.model_copy(
        update={"values": [value(each) for each in record.values], "spreads": [spread(each) for each in record.spreads]}
    )


class Scored(NamedTuple):
    """Distance of a row's value from the middle of its interval, in units in which a normal has 50 % within 0.674 and 90 % within 1.645,
    and the interval's width as a factor.
    """

    depth: float
    width: float


def coverage(rows: Sequence[Scored]) -> dict[float, float]:
    """The share of rows inside their central interval, for each nominal level."""
    reach = {level: statistics.NormalDist().inv_cdf(0.5 + level / 2) for level in LEVELS}
    return {level: sum(each.depth <= far for each in rows) / len(rows) for level, far in reach.items()}


def quarters(rows: Sequence[Scored]) -> list[list[Scored]]:
    """The rows in quarters by the width of their intervals, the narrowest first."""
    ordered = sorted(rows, key=lambda each: each.width)
    ends = [round(len(ordered) * number / QUARTERS) for number in range(QUARTERS + 1)]
    return [ordered[start:end] for start, end in zip(ends, ends[1:], strict=False)]
