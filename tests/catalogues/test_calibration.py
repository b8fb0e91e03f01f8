"""The fit of an error's half recovers the half from which errors were drawn."""

import math
import random

import pytest

from pipeline.formulas.uncertainty import Lomax
from tests.benchmarks.catalogue_calibration import fitted


@pytest.mark.parametrize("error", [Lomax(0.2, 1), Lomax(1.3, 2)])
def test_the_half_that_errors_were_drawn_with_is_found(error):
    chance = random.Random(7)
    fit = fitted([error.distance(chance.random()) for _ in range(4000)], error)
    assert fit.half == pytest.approx(error.half, rel=0.08)
    assert fit.lost < 3 < min(fit.lost_at_half, fit.lost_at_double)


def test_what_another_half_loses_is_the_log_of_the_ratio_of_densities():
    # One error of ln 2, exponent 1: the density is 1 / (2 h) (1 + ln 2 / h)**-2, greatest at h = ln 2.
    fit = fitted([math.log(2)], Lomax(math.log(2) / 2, 1))
    assert fit.half == pytest.approx(math.log(2), rel=1e-3)
    # At half of it: 2 (1 + 2)**-2 against (1 + 1)**-2: 8 / 9.
    assert fit.lost == pytest.approx(math.log(9 / 8), abs=1e-6)
