"""The closed forms of products compared with seeded sampling: the 5 % and 95 % points agree to 1 %."""

import math

import numpy as np
import pytest

from pipeline.formulas import uncertainty

SAMPLES = 2_000_000
# For examples, passes, a network, chips, time, a peak, utilization of text and of convolutions, and one pass before
# 2020.
PRODUCTS = {
    "operations": (1.02, 1.14),
    "repeated operations": (1.15, 1.41),
    "gpu time of text": (1.02, 1.3, 1.05, 1.48),
    "gpu time of convolutions": (1.02, 1.3, 1.05, 3.66),
    "unknown chip": (1.02, 1.3, 1.91, 3.54, 1.48),
    "a guess": (10.5, 1.14, 1.15),
}


def normals(*shape):
    """Return the same standard normals each time, each with its mirror image, which makes their quantiles less noisy."""
    half = np.random.default_rng(20_261_121).standard_normal((SAMPLES // 2, *shape))
    return np.concatenate([half, -half])


def points(samples):
    return np.quantile(samples, [0.05, 0.95])


@pytest.mark.parametrize("deviations", PRODUCTS.values(), ids=PRODUCTS)
def test_bounds_of_a_product_are_those_of_samples(deviations):
    spreads = np.log(deviations)
    low, high = points(3e20 * np.exp(normals(len(spreads)) * spreads).prod(axis=1))
    reach = math.exp(uncertainty.NORMAL_QUANTILE_95 * math.hypot(*spreads))
    assert (low, high) == pytest.approx((3e20 / reach, 3e20 * reach), rel=0.01)
