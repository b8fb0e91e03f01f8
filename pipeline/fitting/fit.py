"""Maximum likelihood with weak priors: the values of data/records/defaults/uncertainty.yaml, with their 68 % ranges."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import exp, log
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize

from pipeline.fitting import likelihood
from pipeline.fitting.pairs import Pairs, Totals, groups_of_classes

FEWEST_GROUPS = 8
STEP = 1e-3  # of the second differences, on the scale of logarithms and log-odds


class FitError(ValueError):
    """There is no pair of methods to learn from."""


class Prior(NamedTuple):
    """Where a value lies without data: a normal in its logarithm, or in the log-odds of a rate."""

    centre: float
    width: float
    is_rate: bool = False
    wider: str | None = None  # the class that it joins where fewer than FEWEST_GROUPS groups speak of it

    def free(self, value: float) -> float:
        """A value on the scale on which it is fitted."""
        return log(value / (1 - value)) if self.is_rate else log(value)

    def value(self, free: float) -> float:
        """The value of a number on that scale."""
        return 1 / (1 + exp(-free)) if self.is_rate else exp(free)


class Fitted(NamedTuple):
    """A fitted value, the 68 % range of its posterior, the number of groups that speak of it, and what is said of it."""

    value: float
    low: float
    high: float
    groups: int
    note: str


# Standard deviations are of the logarithm: 0.05 is a factor of 1.05.
OF_PAIRS = {
    "examples_exact": Prior(0.05, 0.7, wider="examples_product"),
    "examples_product": Prior(0.15, 0.7, wider="examples_table"),
    "examples_table": Prior(0.25, 0.7),
    "chip_seconds_exact": Prior(0.1, 0.7, wider="chip_seconds_product"),
    "chip_seconds_product": Prior(0.15, 0.7, wider="chip_seconds_table"),
    "chip_seconds_table": Prior(0.25, 0.7),
    "utilization_scale": Prior(1.0, 0.5),
    "production_bf16": Prior(0.78, 0.3, wider="production_fp32"),
    "production_fp16": Prior(0.78, 0.3, wider="production_fp32"),
    "production_fp32": Prior(0.78, 0.3),
    "counted": Prior(0.1, 0.7, is_rate=True, wider="not_counted"),
    "not_counted": Prior(0.1, 0.7, is_rate=True),
    "gpu_time": Prior(0.1, 0.7, is_rate=True),
    "gross_error": Prior(1.0, 0.5),
}
OF_TOTALS = {
    "reported": Prior(0.1, 0.7, is_rate=True),
    "reported_operation_count": Prior(0.1, 0.7),
}
PRIORS = OF_PAIRS | OF_TOTALS


def fitted(pairs: Pairs, totals: Totals) -> dict[str, Fitted]:
    """Every value. Those of pairs do not depend on the totals, which share their examples, and so their errors, with our count."""
    if not len(pairs.models):
        raise FitError("No model has two independent methods: there is nothing to fit.")
    groups = groups_of_classes(pairs, totals)
    joined = joined_classes(OF_PAIRS, groups)
    found = _posterior(OF_PAIRS, joined, lambda values: likelihood.of_pairs(pairs, values).log_density().sum())
    known = {name: value for name, (value, _, _) in found.items()}
    is_few = groups["reported_operation_count"] < FEWEST_GROUPS
    used = totals if is_few else totals.taken(totals.is_of_operations)
    weight = used.weight
    found |= _posterior(
        OF_TOTALS, {}, lambda values: (weight * likelihood.of_totals(used, {**known, **values}).log_density()).sum()
    )
    groups["reported"] = len({*used.groups})
    return {
        name: Fitted(*found[name], groups[name], _note(name, groups[name], joined.get(name), groups["reported"]))
        for name in PRIORS
    }


def joined_classes(priors: Mapping[str, Prior], groups: Mapping[str, int]) -> dict[str, str]:
    """The wider class of each class that has too few groups for a value of its own."""
    joined: dict[str, str] = {}
    for name, prior in priors.items():
        if prior.wider and groups[name] < FEWEST_GROUPS:
            joined[name] = prior.wider
    return {name: _last(name, joined) for name in joined}


def _last(name: str, joined: Mapping[str, str]) -> str:
    while name in joined:
        name = joined[name]
    return name


def _note(name: str, groups: int, wider: str | None, with_unknown: int) -> str:
    how_many = "no group" if not groups else "1 group" if groups == 1 else f"{groups} groups"
    if groups >= FEWEST_GROUPS:
        return ""
    if wider:
        return f"{how_many}: that of {wider}"
    if name == "reported_operation_count" and with_unknown > groups:
        return f"{how_many}: with totals whose way is not said, {with_unknown}"
    return "no group: its start value" if not groups else f"{how_many}: held by its start value"


def _posterior(
    priors: Mapping[str, Prior], joined: Mapping[str, str], log_likelihood: Callable[[dict[str, float]], float]
) -> dict[str, tuple[float, float, float]]:
    names = [name for name in priors if name not in joined]
    centres = np.array([priors[name].free(priors[name].centre) for name in names])
    widths = np.array([priors[name].width for name in names])

    def values(free: Iterable[float]) -> dict[str, float]:
        own = {name: priors[name].value(number) for name, number in zip(names, free, strict=True)}
        return own | {name: own[wider] for name, wider in joined.items()}

    def cost(free: Any) -> float:
        return float(-log_likelihood(values(free)) + (((free - centres) / widths) ** 2).sum() / 2)

    best = minimize(cost, centres, method="BFGS", options={"gtol": 1e-4}).x
    reach = np.sqrt(np.diag(np.linalg.inv(second_derivatives(cost, best))))
    ends = [values(best), values(best - reach), values(best + reach)]
    return {name: (ends[0][name], ends[1][name], ends[2][name]) for name in priors}


def second_derivatives(cost: Callable[[Any], float], at: Sequence[float]) -> Any:
    """Second derivatives of `cost` by central differences."""
    steps = np.eye(len(at)) * STEP
    found = [[cost(at + a + b) - cost(at + a - b) - cost(at - a + b) + cost(at - a - b) for b in steps] for a in steps]
    return np.array(found) / (4 * STEP**2)
