"""Properties of the two-sided Lomax error, and its numbers in the methods."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.formulas.uncertainty import Lomax

ERRORS = st.builds(Lomax, st.floats(0.01, 5.0), st.sampled_from([1, 2]))
SHARES = st.floats(0.001, 0.999)


@given(error=ERRORS, first=SHARES, second=SHARES)
def test_points_rise_with_their_share(error, first, second):
    if first < second:
        assert error.distance(first) <= error.distance(second)


@given(error=ERRORS, share=SHARES)
def test_both_sides_are_equal(error, share):
    assert error.distance(1 - share) == pytest.approx(-error.distance(share), abs=1e-9)


@pytest.mark.parametrize(
    ("half", "ends"),
    # The table of methods, section 4: the factors of the 50, 80, 90 and 95 % intervals of a count.
    [(0.10, (1.04, 1.13, 1.24, 1.42)), (0.20, (1.09, 1.28, 1.54, 2.00)), (0.40, (1.18, 1.64, 2.37, 4.01))],
)
def test_intervals_of_a_count(half, ends):
    error = Lomax(half, 2)
    assert tuple(round(math.exp(error.distance(share)), 2) for share in (0.75, 0.9, 0.95, 0.975)) == ends
