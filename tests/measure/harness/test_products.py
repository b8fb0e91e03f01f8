"""FLOP and bytes of equal products."""

import pytest

from pipeline.measure.harness import products


def test_equal_flop_move_twice_the_memory():
    # N² products and N(N − 1) sums either way
    assert products.flop("matrix_vector", 3) == 9 + 6
    ratio = products.moved_bytes("outer_row_sum", 20_000) / products.moved_bytes("matrix_vector", 20_000)
    assert ratio == pytest.approx(2, rel=1e-3)
