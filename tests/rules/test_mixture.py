"""The mixture of a headline against its hypotheses, drawn one by one or worked out by hand."""

import itertools
import math
from statistics import NormalDist

import numpy as np
import pytest

from pipeline.formulas import mixture as formulas
from pipeline.formulas.uncertainty import NORMAL_QUANTILE_75, NORMAL_QUANTILE_95
from pipeline.rules import mixture
from pipeline.rules.headline import QUANTILES

DRAWS = 1_000_000
ERROR = math.log(3.5) ** 2  # added variance of a gross error
SHARES = {"low": 0.05, "p25": 0.25, "median": 0.5, "p75": 0.75, "high": 0.95}
Z = {name: NormalDist().inv_cdf(share) for name, share in SHARES.items()}


def row(count=(0.0, 0.15, 0.1), time=(0.0, 0.5, 0.1), shared=0.0, other=(0.0, 0.0)):
    """One model: ln FLOP, log standard deviation and rate of gross errors of each estimate that it has.

    `other` is what ln GPU time gains at the chips' other format, and the probability of that format.
    """
    sides = {"count": count, "time": time}
    cells = {"model_id": "a-model", "shared_variance": shared}
    cells |= dict(zip(("time_other_log_ratio", "time_other_share"), other, strict=True))
    for name, side in sides.items():
        median, log_sd, rate = side or (None, None, None)
        cells |= {
            f"{name}_log_flop": median,
            f"{name}_variance": None if log_sd is None else log_sd**2,
            f"{name}_error_rate": rate,
        }
    return cells | {
        "is_two": bool(count and time),
        "is_count_alone": bool(count and not time),
        "is_time_alone": bool(time and not count),
    }


@pytest.fixture
def made(frame_of):
    """Components (weight, log median, log standard deviation, weight of the count) and quantiles of each of these rows."""

    def work(*rows):
        # arrow takes no null column without a type: the smallest row that has all goes along, and is dropped
        named = [{**row(), "model_id": "whole"}]
        named += [{**each, "model_id": f"model-{place}"} for place, each in enumerate(rows)]
        frame = mixture.with_components(frame_of(named), ERROR)
        known = {each["model_id"]: each for each in frame.collect("pyarrow").rows(named=True)}
        found = {each["model_id"]: each for each in mixture.quantiles(frame, Z).collect("pyarrow").rows(named=True)}
        return [
            (
                [tuple(known[name][f"{part}_{n}"] for part in ("weight", "log_median", "log_sd", "count_weight")) for n in mixture.NUMBERS],
                found[name],
            )
            for name in (f"model-{place}" for place in range(len(rows)))
        ]  # fmt: skip

    return work


def share_below(value, components):
    return math.fsum(
        weight * NormalDist(median, log_sd).cdf(value) for weight, median, log_sd, *_ in components if weight
    )


def normal(distance, variance):
    return np.exp(-(distance**2) / 2 / variance) / np.sqrt(2 * np.pi * variance)


def drawn(count, time, shared, seed=20261122):
    """Quantiles of what is known of the true value: errors of the count are drawn, and weighted by how likely they make the time.

    No hypothesis is named: an error is gross or not by a coin.
    """
    random = np.random.default_rng(seed)
    in_common = random.normal(0, math.sqrt(shared), DRAWS)
    is_gross = random.random(DRAWS) < count[2]
    own = random.normal(0, np.sqrt(count[1] ** 2 - shared + is_gross * ERROR))
    left = time[0] - count[0] + own  # the time's own error, if the count's is this
    of_time = time[1] ** 2 - shared
    weight = (1 - time[2]) * normal(left, of_time) + time[2] * normal(left, of_time + ERROR)
    truth = count[0] - own - in_common
    order = np.argsort(truth)
    reached = np.cumsum(weight[order]) / weight.sum()
    return {name: truth[order][np.searchsorted(reached, share)] for name, share in SHARES.items()}


CASES = [
    ((50.0, 0.15, 0.09), (50.0, 0.5, 0.1), 0.0),
    ((50.0, 0.15, 0.09), (50.8, 0.5, 0.1), 0.0),
    ((50.0, 0.5, 0.12), (47.5, 0.3, 0.1), 0.0),
    ((50.0, 0.05, 0.2), (53.5, 0.2, 0.3), 0.0),
    ((50.0, 0.25, 0.12), (50.6, 0.5, 0.1), 0.04),
]


@pytest.mark.parametrize(("count", "time", "shared"), CASES)
def test_quantiles_agree_with_drawn_errors(made, count, time, shared):
    ((_, found),) = made(row(count, time, shared))
    wanted = drawn(count, time, shared)
    for name, value in wanted.items():
        # within a hundredth of the share, or a hundredth of the value
        assert found[name] == pytest.approx(value, abs=0.015), name


def test_one_estimate_alone_is_right_or_errs_grossly(made):
    """nine in ten draws with its own spread, one in ten with that of gross errors added; the absent side's hypotheses are gone."""
    (of_count, found), (of_time, other) = made(row((3.0, 0.4, 0.1), None), row(None, (3.0, 0.4, 0.1)))
    random = np.random.default_rng(7)
    values = random.normal(3.0, np.sqrt(0.16 + (random.random(DRAWS) < 0.1) * ERROR))
    for name, share in SHARES.items():
        assert found[name] == pytest.approx(np.quantile(values, share), abs=0.01)
        assert other[name] == pytest.approx(found[name], abs=1e-12)
    assert [weight for weight, *_ in of_count] == pytest.approx([0, 0.9, 0, 0.1])
    assert [weight for weight, *_ in of_time] == pytest.approx([0, 0, 0.9, 0.1])
    assert [each[3] for each in of_count if each[0]] == [1, 1]
    assert [each[3] for each in of_time if each[0]] == [0, 0]


def test_weights_sum_to_one_and_half_lies_below_the_median(made):
    for components, found in made(*(row(*case) for case in CASES)):
        assert math.fsum(weight for weight, *_ in components) == pytest.approx(1, abs=1e-12)
        for name, share in SHARES.items():
            assert share_below(found[name], components) == pytest.approx(share, abs=1e-6)


def test_an_inferred_format_is_weighed_by_the_other_estimate(made):
    """Formats and errors are drawn by a coin each; what gives the observed distance of 1.8 is kept.

    Each hypothesis has one normal for both formats: mean and variance are those of the draws, and so is the half of them.
    """
    count, time, (ratio, share) = (50.0, 0.3, 0.1), (48.2, 0.4, 0.1), (2.0, 0.3)
    ((components, _),) = made(row(count, time, other=(ratio, share)))
    random = np.random.default_rng(5)
    own = random.normal(0, np.sqrt(count[1] ** 2 + (random.random(DRAWS) < count[2]) * ERROR))
    is_other = random.random(DRAWS) < share
    left = time[0] + is_other * ratio - count[0] + own
    weight = (1 - time[2]) * normal(left, time[1] ** 2) + time[2] * normal(left, time[1] ** 2 + ERROR)
    truth = count[0] - own
    mean = (weight * truth).sum() / weight.sum()
    parts = [(each, median, log_sd) for each, median, log_sd, _ in components]
    assert formulas.mean(parts) == pytest.approx(mean, abs=0.01)
    wanted = (weight * (truth - mean) ** 2).sum() / weight.sum()
    assert formulas.variance(parts) == pytest.approx(wanted, abs=0.01)


def test_a_time_alone_keeps_both_formats_apart(made):
    """3 in 10 draws are at the other format, a factor e² more; gross errors of both are one wide normal."""
    ((components, found),) = made(row(None, (3.0, 0.3, 1e-6), other=(2.0, 0.3)))
    random = np.random.default_rng(6)
    values = 3.0 + 2.0 * (random.random(DRAWS) < 0.3) + random.normal(0, 0.3, DRAWS)
    for name, share in SHARES.items():
        assert found[name] == pytest.approx(np.quantile(values, share), abs=0.015), name
    assert [each[0] for each in components] == pytest.approx([0.3, 0, 0.7, 0], abs=1e-5)


def test_a_format_that_is_not_in_doubt_changes_nothing(made):
    (own, found), (other, there) = made(row(), row(other=(2.0, 0.0)))
    assert own == other
    assert {**found, "model_id": None} == {**there, "model_id": None}


def test_without_gross_errors_it_is_the_inverse_variance_mean(made):
    """ln FLOP 1 and 3, variances 0.09 and 0.27: three quarters and one quarter of the weight."""
    ((_, found),) = made(row((1.0, 0.3, 1e-9), (3.0, math.sqrt(0.27), 1e-9)))
    both = NormalDist(1.5, math.sqrt(0.09 * 0.27 / 0.36))
    # a gross error is 1e-9 as likely, but makes a distance of 2 more likely than 3.3 standard deviations do
    for name, share in SHARES.items():
        assert found[name] == pytest.approx(both.inv_cdf(share), abs=1e-5)


def test_agreement_is_narrowest(made):
    found = [
        each for _, each in made(*(row((0, 0.3, 0.1), (distance / 4, 0.5, 0.1)) for distance in (0, 2, 4, 6, 8, 10)))
    ]
    widths = [each["high"] - each["low"] for each in found]
    assert widths == sorted(widths)
    assert len(set(widths)) == len(widths)


@pytest.mark.parametrize(("count", "time", "shared"), CASES)
def test_swapped_methods_swap_their_weights(made, count, time, shared):
    (own, found), (swapped, other) = made(row(count, time, shared), row(time, count, shared))
    for name, value in found.items():
        assert name == "model_id" or value == pytest.approx(other[name], abs=1e-6)
    both, count_right, time_right, neither = own
    for first, second in zip((both, time_right, count_right, neither), swapped, strict=True):
        assert first[:3] == pytest.approx(second[:3], rel=1e-9)
        assert first[3] == pytest.approx(1 - second[3], abs=1e-12)


@pytest.mark.parametrize(("count", "time", "shared"), CASES)
def test_scale_does_not_matter(made, count, time, shared):
    moved = [(each[0] - 37.0, *each[1:]) for each in (count, time)]
    (own, found), (other, there) = made(row(count, time, shared), row(*moved, shared))
    for name in SHARES:
        assert there[name] == pytest.approx(found[name] - 37, abs=1e-9)
    for first, second in zip(own, other, strict=True):
        assert first[0] == pytest.approx(second[0], rel=1e-9)


def test_an_input_in_common_enters_once(made):
    """Of two estimates that rest on it alone nothing is averaged away."""
    (_, apart), (_, together) = made(row((0, 0.5, 1e-9), (0, 0.5, 1e-9)), row((0, 0.5, 1e-9), (0, 0.5, 1e-9), 0.2499))
    assert apart["high"] == pytest.approx(NORMAL_QUANTILE_95 * 0.5 / math.sqrt(2), rel=1e-4)
    assert together["high"] == pytest.approx(NORMAL_QUANTILE_95 * 0.5, rel=1e-3)


def test_a_row_without_estimates_has_no_components(made):
    cells = {**row(), "is_two": False}
    with pytest.raises(KeyError, match="model-0"):
        made(cells)


def of_random(number, seed):
    """Four components each: standard deviations 0.04 to 2, medians a few factors of ten apart, weights from even to next to none."""
    random = np.random.default_rng(seed)
    weights = random.dirichlet(np.full(4, 0.3), number)
    medians = random.normal(0, random.choice([0.01, 0.5, 2.0], (number, 1)), (number, 4))
    log_sds = np.exp(random.uniform(math.log(0.04), math.log(2), (number, 4)))
    return weights, medians, log_sds


def test_quantiles_are_right_to_a_millionth_and_rise():
    weights, medians, log_sds = of_random(5000, 3)
    own = [(weights[:, n], medians[:, n], log_sds[:, n]) for n in range(4)]
    found = [mixture.quantile(own, z) for z in QUANTILES.values()]
    for share, values in zip(SHARES.values(), found, strict=True):
        reached = [
            share_below(value, zip(*each, strict=True))
            for value, *each in zip(values, weights, medians, log_sds, strict=True)
        ]
        assert max(abs(each - share) for each in reached) < 1e-6
    for lower, upper in itertools.pairwise(found):
        assert (lower < upper).all()


def test_the_quantiles_asked_for_are_those_of_the_names():
    shares = [NormalDist().cdf(z) for z in QUANTILES.values()]
    assert shares == pytest.approx(list(SHARES.values()))
    assert NormalDist().inv_cdf(0.75) == pytest.approx(NORMAL_QUANTILE_75)


@pytest.mark.parametrize(("distance", "own_sd"), [(0.0, 0.2), (1.0, 0.2), (3.0, 0.2), (2.0, 0.6)])
def test_error_rates_after_another_total_was_seen(distance, own_sd):
    """Both totals rest on the same inputs but for `own_sd`; errors are drawn, and those that give about this distance are kept."""
    random = np.random.default_rng(11)
    errs, other_errs = random.random(DRAWS) < 0.12, random.random(DRAWS) < 0.3
    variance = own_sd**2 + (errs.astype(int) + other_errs) * ERROR
    weight = normal(distance, variance)
    wanted = (weight * errs).sum() / weight.sum()
    own, other = mixture.Side(distance, 9.0, 0.12), mixture.Side(0.0, 9.0, 0.3)
    likely = mixture.likelihoods(own, other, own_sd**2, ERROR)
    found = mixture.posterior_error_rate(own.error_rate, other.error_rate, likely)
    assert found == pytest.approx(wanted, abs=0.003)
