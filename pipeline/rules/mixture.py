"""The distribution of a model's own training compute: which of its estimates are right, as a mixture of log-normals (methods, section 4).

Each estimate errs grossly with a small probability; its variance is then larger by that of gross errors. Two estimates give four
hypotheses (both right, one wrong, both wrong), weighted by how likely each makes the ratio that is observed, so that agreement narrows
the interval and distance splits it; one estimate gives two. Where the number format was inferred, each is weighted at both formats.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np

from pipeline.formulas import agreement, mixture
from pipeline.formulas.uncertainty import probability_above, spread
from pipeline.rules.frames import Frame, as_columns, materialised
from schemas.vocabulary import Component

HALVINGS, NEWTON_STEPS = 8, 4  # the CDF at a quantile is right to 1e-6, over random mixtures (tests)
STEPS_A_QUERY = 2  # to hold rows costs as much as a step, and to plan steps in one query more with each
SMALLEST_SHARE = 1e-12  # keeps odds and steps defined where the normal's tail is rounded to nothing
NUMBERS = range(4)
ORDER = (Component.BOTH, Component.OPERATION_COUNT, Component.GPU_TIME, Component.NEITHER)


class Side(NamedTuple):
    """One of the two estimates: ln FLOP, the variance of its logarithm, the probability of a gross error."""

    log_flop: Any
    variance: Any
    error_rate: Any


class Likelihoods(NamedTuple):
    """How likely the distance of two estimates is where none, one or both of them err grossly."""

    none: Any
    one: Any
    both: Any


class _Case(NamedTuple):
    """Which of two estimates err grossly: its prior probability, and what is known in it but for the distance of the two."""

    prior: Any
    distance_variance: Any
    variance: Any
    count_weight: Any


class _AtFormats(NamedTuple):
    """Weights of a case, up to a factor common to all, at the number format that was taken and at the chips' other one."""

    own: Any
    other: Any


class _Hypothesis(NamedTuple):
    weight: Any  # up to a factor common to all
    log_median: Any
    variance: Any
    count_weight: Any  # of the count in log_median
    other_weight: Any = 0.0  # the part of `weight` at the chips' other format


def likelihoods(first: Side, second: Side, distance_variance: Any, error_variance: float) -> Likelihoods:
    """Of two estimates that rest on the same inputs but for `distance_variance`."""
    distance = first.log_flop - second.log_flop
    return Likelihoods(
        *(mixture.normal_density(distance, distance_variance + errors * error_variance) for errors in range(3))
    )


def posterior_error_rate(own_error_rate: Any, other_error_rate: Any, likelihoods: Likelihoods) -> Any:
    """Probability that one of two estimates errs grossly, given how likely their distance is."""
    right, other_wrong, own_wrong, neither = (
        prior * likelihoods[is_own_wrong + is_other_wrong]
        for prior, is_own_wrong, is_other_wrong in _hypotheses(own_error_rate, other_error_rate)
    )
    return (own_wrong + neither) / (right + other_wrong + own_wrong + neither)


def _hypotheses(first_error_rate: Any, second_error_rate: Any) -> Iterator[tuple[Any, int, int]]:
    """Prior probability of each case, and whether (1 or 0) the first and the second of two estimates errs grossly in it."""
    for is_first_wrong in (0, 1):
        for is_second_wrong in (0, 1):
            first = first_error_rate if is_first_wrong else 1 - first_error_rate
            second = second_error_rate if is_second_wrong else 1 - second_error_rate
            yield first * second, is_first_wrong, is_second_wrong


def with_components(frame: Frame, error_variance: float) -> Frame:
    """The frame with the components of each row's mixture, as columns `weight_<n>`, `log_median_<n>`, `log_sd_<n>` and `count_weight_<n>`.

    Reads log_flop, variance and error_rate of `count_` and `time_`, `shared_variance`, which estimates the row uses (`is_two`,
    `is_count_alone` or `is_time_alone`), and what GPU time is at the chips' other format, `time_other_log_ratio`, with its prior
    probability, `time_other_share`. A row that uses none has null weights; a component that a row lacks has weight 0.
    Adds the probability of the other format, `other_format_weight_fraction`.
    """
    count, time = (Side(*(nw.col(f"{name}_{part}") for part in Side._fields)) for name in ("count", "time"))
    other_ratio, other_share = nw.col("time_other_log_ratio"), nw.col("time_other_share")
    columns = frame.collect_schema().names()
    frame, both = as_columns(frame, [*_both(count, time, nw.col("shared_variance"), error_variance)], prefix="both")
    distance = count.log_flop - time.log_flop
    frame, weights = as_columns(frame, [_weighed(each, distance, other_ratio, other_share) for each in both])
    frame, two = as_columns(
        frame,
        [
            _merged(weight, time.log_flop + case.count_weight * distance, case, (1 - case.count_weight) * other_ratio)
            for weight, case in zip(weights, both, strict=True)
        ],
        prefix="merged",
    )
    total = sum(each.weight for each in two)
    counted, timed = (list(_one(*each, error_variance)) for each in ((count, 1.0), (time, 0.0)))
    is_two, is_count, is_time = (nw.col(name) for name in ("is_two", "is_count_alone", "is_time_alone"))
    right, wrong = timed
    at_other = right._replace(weight=right.weight * other_share, log_median=time.log_flop + other_ratio)
    wrong_weights = _AtFormats(wrong.weight * (1 - other_share), wrong.weight * other_share)
    cases = {number: [(is_two, each._replace(weight=each.weight / total))] for number, each in enumerate(two)}
    cases[0] += [(is_time, at_other)]
    cases[1] += [(is_count, counted[0])]
    cases[2] += [(is_time, right._replace(weight=right.weight * (1 - other_share)))]
    cases[3] += [(is_count, counted[1]), (is_time, _merged(wrong_weights, wrong.log_median, wrong, other_ratio))]
    made: dict[str, Any] = {}
    for number, own in cases.items():
        for name, absent in {"weight": 0.0, "log_median": 0.0, "variance": 1.0, "count_weight": 0.0}.items():
            chain: Any = nw
            for applies, each in own:
                chain = chain.when(applies).then(getattr(each, name))
            made[f"{name}_{number}"] = chain.otherwise(nw.lit(absent))
        made[f"log_sd_{number}"] = spread(made.pop(f"variance_{number}"))
    is_known = is_two | is_count | is_time
    made |= {f"weight_{n}": nw.when(is_known).then(made[f"weight_{n}"]) for n in NUMBERS}
    of_other = nw.when(is_two).then(sum(each.other_weight for each in two) / total).when(is_time).then(other_share)
    made["other_format_weight_fraction"] = of_other.otherwise(nw.lit(0.0))
    return frame.select(*columns, **made)


def _one(side: Side, count_weight: float, error_variance: float) -> Iterator[_Hypothesis]:
    for weight, variance in ((1 - side.error_rate, side.variance), (side.error_rate, side.variance + error_variance)):
        yield _Hypothesis(weight, side.log_flop, variance, nw.lit(count_weight))


def _both(count: Side, time: Side, shared: Any, error_variance: float) -> Iterator[_Case]:
    for prior, is_count_wrong, is_time_wrong in _hypotheses(count.error_rate, time.error_rate):
        of_count = count.variance - shared + is_count_wrong * error_variance
        of_time = time.variance - shared + is_time_wrong * error_variance
        variance = agreement.combined_variance(of_count, of_time) + shared
        yield _Case(prior, of_count + of_time, variance, agreement.weight(of_time, of_count))


def _weighed(case: _Case, distance: Any, other_ratio: Any, other_share: Any) -> _AtFormats:
    own, other = (
        case.prior * mixture.normal_density(each, case.distance_variance) for each in (distance, distance - other_ratio)
    )
    return _AtFormats(own * (1 - other_share), other * other_share)


def _merged(weights: _AtFormats, log_median: Any, known: _Case | _Hypothesis, apart: Any) -> _Hypothesis:
    """One hypothesis of both formats, whose log medians are `apart`: a normal of the same mean and variance."""
    weight = weights.own + weights.other
    part = nw.when(weights.other > 0).then(weights.other / weight).otherwise(nw.lit(0.0))
    variance = known.variance + part * (1 - part) * apart * apart
    return _Hypothesis(weight, log_median + part * apart, variance, known.count_weight, weights.other)


def _with_distances(frame: Frame, log_value: Any) -> tuple[Frame, list[Any]]:
    """The frame with the distances of its components from a value as columns, and these."""
    distances = {f"distance_{n}": each for n, each in enumerate(mixture.distances(log_value, components()))}
    return frame.with_columns(**distances), [nw.col(name) for name in distances]


def components() -> list[tuple[Any, Any, Any]]:
    """Weight, log median and log standard deviation of each component, as expressions on the columns of `with_components`."""
    return [(nw.col(f"weight_{n}"), nw.col(f"log_median_{n}"), nw.col(f"log_sd_{n}")) for n in NUMBERS]


def quantiles(frame: Frame, quantile_z: Mapping[str, float]) -> Frame:
    """`model_id` and the logarithms of quantiles of each row's mixture, by name; rows without components are left out.

    `quantile_z` are the same quantiles of a standard normal. A fixed number of halvings between the components' own quantiles, then of
    Newton steps on the log-odds, some on rows that are held: as one query each step would be planned with all before it.
    """
    names = [f"{name}_{n}" for name in ("weight", "log_median", "log_sd") for n in NUMBERS]
    known = materialised(frame.filter(~nw.col("weight_0").is_null()).select("model_id", *names))
    asked = [
        known.with_columns(quantile=nw.lit(number), z=nw.lit(z), share=nw.lit(probability_above(-z)))
        for number, z in enumerate(quantile_z.values())
    ]
    share, below, above, point = (nw.col(name) for name in ("share", "below", "above", "point"))
    own = components()
    ends = [nw.when(weight > 0).then(median + nw.col("z") * log_sd) for weight, median, log_sd in own]
    frame = nw.concat(asked).with_columns(below=nw.min_horizontal(*ends), above=nw.max_horizontal(*ends))
    for number in range(HALVINGS):
        middle = (below + above) / 2
        frame, distances = _with_distances(frame if number % STEPS_A_QUERY else materialised(frame), middle)
        frame = frame.with_columns(is_below=mixture.share_beyond(own, distances) < share)
        frame = frame.with_columns(
            below=nw.when(nw.col("is_below")).then(middle).otherwise(below),
            above=nw.when(nw.col("is_below")).then(above).otherwise(middle),
        )
    frame = frame.with_columns(point=(below + above) / 2, log_odds=(share / (1 - share)).log())
    for number in range(NEWTON_STEPS):
        frame, distances = _with_distances(frame if number % STEPS_A_QUERY else materialised(frame), point)
        below_point = mixture.share_beyond(own, distances)
        frame = frame.with_columns(at=_within(below_point, SMALLEST_SHARE, 1 - SMALLEST_SHARE))
        at = nw.col("at")
        apart = (at / (1 - at)).log() - nw.col("log_odds")
        step = apart * at * (1 - at) / nw.max_horizontal(mixture.density_beyond(own, distances), nw.lit(SMALLEST_SHARE))
        frame = frame.with_columns(point=_within(point - step, below, above))
    held = materialised(frame)
    each = held.with_columns(
        **{name: nw.when(nw.col("quantile") == number).then(point) for number, name in enumerate(quantile_z)}
    )
    return materialised(each.group_by("model_id").agg(nw.col(*quantile_z).max()))


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
