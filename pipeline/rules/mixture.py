"""The distribution of a model's own training compute: which of its estimates are right, as a mixture of log-normals (methods, section 4).

Each estimate errs grossly with a small probability; its variance is then larger by that of gross errors. Two estimates give four
hypotheses (both right, one wrong, both wrong), weighted by how likely each makes the ratio that is observed, so that agreement narrows
the interval and distance splits it; one estimate gives two.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np

from pipeline.formulas import agreement, mixture
from pipeline.formulas.uncertainty import probability_above, spread
from pipeline.rules.frames import Frame, materialised
from schemas.vocabulary import Component

HALVINGS, NEWTON_STEPS = 8, 4  # the CDF at a quantile is right to 1e-6, over random mixtures (tests)
SMALLEST_SHARE = 1e-12  # keeps odds and steps defined where the normal's tail is rounded to nothing
NUMBERS = range(4)
ORDER = (Component.BOTH, Component.OPERATION_COUNT, Component.GPU_TIME, Component.NEITHER)


class Side(NamedTuple):
    """One of the two estimates: ln FLOP, the variance of its logarithm, the probability of a gross error."""

    log_flop: Any
    variance: Any
    error_rate: Any


class _Hypothesis(NamedTuple):
    weight: Any  # up to a factor common to all
    log_median: Any
    log_sd: Any
    count_weight: Any  # of the count in log_median


def posterior_error_rate(own: Side, other: Side, distance_variance: Any, error_variance: Any) -> Any:
    """Probability that `own` errs grossly, given an estimate that rests on the same inputs but for `distance_variance`."""
    distance = own.log_flop - other.log_flop
    both, other_wrong, own_wrong, neither = (
        weight * mixture.normal_density(distance, distance_variance + number * error_variance)
        for weight, number in (
            ((1 - own.error_rate) * (1 - other.error_rate), 0),
            ((1 - own.error_rate) * other.error_rate, 1),
            (own.error_rate * (1 - other.error_rate), 1),
            (own.error_rate * other.error_rate, 2),
        )
    )
    return (own_wrong + neither) / (both + other_wrong + own_wrong + neither)


def with_components(frame: Frame, error_variance: float) -> Frame:
    """The frame with the components of each row's mixture, as columns `weight_<n>`, `log_median_<n>`, `log_sd_<n>` and `count_weight_<n>`.

    Reads log_flop, variance and error_rate of `count_` and `time_`, `shared_variance`, and which estimates the row uses: `is_two`,
    `is_count_alone` or `is_time_alone`. A row that uses none has null weights; a component that a row lacks has weight 0.
    """
    count, time = (Side(*(nw.col(f"{name}_{part}") for part in Side._fields)) for name in ("count", "time"))
    two = list(_two(count, time, nw.col("shared_variance"), error_variance))
    total = sum(each.weight for each in two)
    alone = {1: list(_one(count, 1.0, error_variance)), 2: list(_one(time, 0.0, error_variance))}
    uses = {1: nw.col("is_count_alone"), 2: nw.col("is_time_alone")}
    columns: dict[str, Any] = {}
    for number, both in enumerate(two):
        cases = [(nw.col("is_two"), both._replace(weight=both.weight / total))]
        for place, (right, wrong) in alone.items():
            cases += [(uses[place], right)] if number == place else [(uses[place], wrong)] if number == 3 else []
        for name, absent in {"weight": 0.0, "log_median": 0.0, "log_sd": 1.0, "count_weight": 0.0}.items():
            chain: Any = nw
            for applies, each in cases:
                chain = chain.when(applies).then(getattr(each, name))
            columns[f"{name}_{number}"] = chain.otherwise(nw.lit(absent))
    is_known = nw.col("is_two") | uses[1] | uses[2]
    columns |= {f"weight_{n}": nw.when(is_known).then(columns[f"weight_{n}"]) for n in NUMBERS}
    return frame.with_columns(**columns)


def _one(side: Side, count_weight: float, error_variance: float) -> Iterator[_Hypothesis]:
    for weight, variance in ((1 - side.error_rate, side.variance), (side.error_rate, side.variance + error_variance)):
        yield _Hypothesis(weight, side.log_flop, spread(variance), nw.lit(count_weight))


def _two(count: Side, time: Side, shared: Any, error_variance: float) -> Iterator[_Hypothesis]:
    distance = count.log_flop - time.log_flop
    for is_count_wrong, is_time_wrong in ((False, False), (False, True), (True, False), (True, True)):
        of_count = count.variance - shared + (error_variance if is_count_wrong else 0.0)
        of_time = time.variance - shared + (error_variance if is_time_wrong else 0.0)
        prior = count.error_rate if is_count_wrong else 1 - count.error_rate
        prior = prior * (time.error_rate if is_time_wrong else 1 - time.error_rate)
        weight = agreement.weight(of_time, of_count)
        yield _Hypothesis(
            prior * mixture.normal_density(distance, of_count + of_time),
            time.log_flop + weight * distance,
            spread(agreement.combined_variance(of_count, of_time) + shared),
            weight,
        )


def components() -> list[tuple[Any, Any, Any]]:
    """Weight, log median and log standard deviation of each component, as expressions on the columns of `with_components`."""
    return [(nw.col(f"weight_{n}"), nw.col(f"log_median_{n}"), nw.col(f"log_sd_{n}")) for n in NUMBERS]


def quantiles(frame: Frame, quantile_z: Mapping[str, float]) -> Frame:
    """`model_id` and the logarithms of quantiles of each row's mixture, by name; rows without components are left out.

    `quantile_z` are the same quantiles of a standard normal. A fixed number of halvings between the components' own quantiles, then of
    Newton steps on the log-odds; each on rows that are held, since as one query each step would be planned with all before it.
    """
    names = [f"{name}_{n}" for name in ("weight", "log_median", "log_sd") for n in NUMBERS]
    known = frame.filter(~nw.col("weight_0").is_null()).select("model_id", *names)
    asked = [
        known.with_columns(quantile=nw.lit(name), z=nw.lit(z), share=nw.lit(probability_above(-z)))
        for name, z in quantile_z.items()
    ]
    share, below, above, point = (nw.col(name) for name in ("share", "below", "above", "point"))
    own = components()
    ends = [nw.when(weight > 0).then(median + nw.col("z") * log_sd) for weight, median, log_sd in own]
    frame = nw.concat(asked).with_columns(below=nw.min_horizontal(*ends), above=nw.max_horizontal(*ends))
    for _ in range(HALVINGS):
        middle = (below + above) / 2
        frame = materialised(frame).with_columns(is_below=mixture.share_below(middle, own) < share)
        frame = frame.with_columns(
            below=nw.when(nw.col("is_below")).then(middle).otherwise(below),
            above=nw.when(nw.col("is_below")).then(above).otherwise(middle),
        )
    frame = frame.with_columns(point=(below + above) / 2)
    for _ in range(NEWTON_STEPS):
        frame = materialised(frame).with_columns(
            at=_within(mixture.share_below(point, own), SMALLEST_SHARE, 1 - SMALLEST_SHARE)
        )
        at = nw.col("at")
        odds = (at / (1 - at)).log() - (share / (1 - share)).log()
        step = odds * at * (1 - at) / nw.max_horizontal(mixture.density(point, own), nw.lit(SMALLEST_SHARE))
        frame = frame.with_columns(point=_within(point - step, below, above))
    held = materialised(frame)
    each = held.with_columns(**{name: nw.when(nw.col("quantile") == name).then(point) for name in quantile_z})
    return each.group_by("model_id").agg(nw.col(*quantile_z).max())


def _within(value: Any, low: Any, high: Any) -> Any:
    low, high = (nw.lit(end) if isinstance(end, float) else end for end in (low, high))
    return nw.max_horizontal(nw.min_horizontal(value, high), low)


def quantile(own: Sequence[tuple[Any, Any, Any]], z: float) -> Any:
    """Logarithms of one quantile of mixtures that are given as arrays of weights, log medians and log standard deviations."""
    columns = {
        f"{name}_{n}": np.asarray(values, dtype=float)
        for n, component in enumerate(own)
        for name, values in zip(("weight", "log_median", "log_sd"), component, strict=True)
    }
    places = np.arange(len(columns["weight_0"]))
    frame = nw.from_dict({"model_id": places, **columns}, backend="pyarrow").lazy(backend="duckdb")
    return quantiles(frame, {"found": z}).sort("model_id").collect("pyarrow")["found"].to_numpy()
