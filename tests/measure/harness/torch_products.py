"""Ways to do equal FLOP: every way of a group and library is the same numbers."""

import numpy
import pytest

from pipeline.measure.harness import products


def test_ways_of_a_group_agree():
    arrays = [numpy.random.default_rng(0).standard_normal(shape) for shape in products._shapes(5)]
    for ways in (products._of_torch(5, "cpu"), products._of_numpy(5), products._of_arrays(numpy, *arrays)):
        results = {name: numpy.asarray(run()) for name, run in ways.items()}
        assert results["vectors_one_by_one"] == pytest.approx(results["vectors_together"], rel=1e-4, abs=1e-5)
        assert results["outer_column_sum"] == pytest.approx(results["outer_row_sum"], rel=1e-4, abs=1e-5)
        assert results["matrix_vector"].shape == results["outer_row_sum"].shape == (5,)
