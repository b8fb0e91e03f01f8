"""The page of the EU's thresholds for a model."""

import pytest

from pipeline.answers import guidelines
from pipeline.site.pages import eu


def model(*probabilities, ratio=None, flop=None):
    columns = ("probability_above_1e23_fraction", "probability_above_1e25_fraction", "probability_above_1e26_fraction")
    return {**dict(zip(columns, probabilities, strict=True)), "own_to_base_ratio": ratio, "own_training_flop": flop}


def test_a_model_is_above_from_nine_tenths_on_and_undecided_below():
    assert eu.kinds(model(1.0, 0.9, 0.01)) == ["may-1e23", "above-1e23", "may-1e25", "above-1e25"]
    assert eu.kinds(model(1.0, 0.89, 0.0)) == ["may-1e23", "above-1e23", "may-1e25", "undecided-1e25"]
    assert eu.kinds(model(0.05, 0.04, 0.0, ratio=0.1)) == ["may-1e23", "undecided-1e23", "modified"]


@pytest.mark.parametrize(("ratio", "is_above"), [(0.5, True), (0.3, False)])
def test_a_modification_is_compared_with_a_third_of_its_base(ratio, is_above):
    comparison = guidelines.of_base(model(1.0, 1.0, 0.0, ratio=ratio, flop=ratio * 6e24))
    assert comparison == {"third_of_base_flop": pytest.approx(2e24), "is_above_third_of_base": is_above}


def test_a_model_of_its_own_has_no_base_to_compare_with():
    comparison = guidelines.of_base(model(1.0, 1.0, 0.0, flop=1e25))
    assert comparison == {"third_of_base_flop": None, "is_above_third_of_base": None}
