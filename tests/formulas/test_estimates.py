"""The quantile of log-normal errors, against sampling."""

import math
import random

import pytest

from pipeline.formulas import uncertainty


def test_bounds_are_the_quantiles_of_a_product_of_inputs():
    # Seeded sampling of three log-normal inputs: 5 % and 95 % of the samples are below the closed form's bounds.
    generator = random.Random(7)
    spreads = [math.log(1.6), math.log(1.15), math.log(1.05)]
    samples = sorted(1e21 * math.prod(generator.lognormvariate(0, each) for each in spreads) for _ in range(200_000))
    reach = math.exp(uncertainty.NORMAL_QUANTILE_95 * math.hypot(*spreads))
    assert pytest.approx(samples[10_000], rel=0.01) == 1e21 / reach
    assert pytest.approx(samples[190_000], rel=0.01) == 1e21 * reach
