"""The default utilization of a training run: one rule for records, measurements and the stages that read them."""

import pytest

from pipeline.rules.utilization.cases import utilization_case


# The article: 30 % for language models, 40 % for others; the ledger: any network whose examples are text.
@pytest.mark.parametrize(
    ("network", "example_unit", "case"),
    [
        ("language_transformer", "token", "text"),
        (None, "text_sequence", "text"),
        ("dense_convolution", "token", "text"),
        ("dense_convolution", "image", "convolution"),
        ("depthwise_convolution", "frame", "convolution"),
        ("other_transformer", "image", "other"),
        (None, "game_position", "other"),
        ("language_transformer", None, "text"),
        ("other_transformer", None, "other"),
    ],
)
def test_text_goes_by_the_examples_and_else_by_the_family(network, example_unit, case):
    assert utilization_case(network, example_unit) == case
