"""Properties of uncertainty, tested by sampling and against the text of the methods."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.formulas import uncertainty

AMOUNTS = st.floats(1e10, 1e26)
SPREADS = st.floats(0.01, 2.0)


@given(middle=AMOUNTS, spread=SPREADS)
def test_an_interval_holds_its_middle(middle, spread):
    assert uncertainty.low(middle, spread) < middle < uncertainty.high(middle, spread)


def test_bounds_are_the_quantiles_of_a_product_of_inputs():
    # Seeded sampling of three log-normal inputs: 5 % and 95 % of the samples are below the closed form's bounds.
    generator = random.Random(7)
    spreads = [math.log(1.6), math.log(1.15), math.log(1.05)]
    samples = sorted(1e21 * math.prod(generator.lognormvariate(0, each) for each in spreads) for _ in range(200_000))
    width = math.hypot(*spreads)
    assert uncertainty.low(1e21, width) == pytest.approx(samples[10_000], rel=0.01)
    assert uncertainty.high(1e21, width) == pytest.approx(samples[190_000], rel=0.01)
