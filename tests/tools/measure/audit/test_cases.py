"""The audit's cases: there are enough of them, and the slow loops count the same as the formulas."""

import pytest

from pipeline.formulas.layers import KINDS
from tests.tools.measure.audit.cases import CASES

# Kinds that only reorder, select or add, and three whose products occur in other cases: AlexNet's norm, a linear layer
# under two norms, and a recurrent decoder's attention, which takes three inputs.
WITHOUT_A_CASE = {
    "average_positions", "class_token", "compressed_attention", "crop2d", "flatten", "hyper_connection", "join",
    "learned_parameters", "local_response_norm", "next_token_merge", "short_convolution", "position_embedding", "reshape", "select_position", "source_attention", "transpose",
}  # fmt: skip
# Elementwise operations are defined one by one; for softmax, gates and norms the number is approximate.
COUNTED_ELEMENTS = {"max_pool2d", "average_pool2d", "global_average_pool2d", "batch_norm", "relu"}


def test_there_are_enough_cases():
    assert len(CASES) >= 60
    assert len({case.name for case in CASES}) == len(CASES)
    assert {1, 2, 64, 128} <= {case.batch for case in CASES}


def test_every_layer_kind_has_a_case():
    counted = {placed.kind for case in CASES for placed in case.placed(False)}
    assert set(KINDS) - counted == WITHOUT_A_CASE, "a layer kind needs a case in tests/tools/measure/audit/cases.py"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_slow_loop_equals_the_formulas(case):
    for which in case.passes:
        assert case.ours(which) == case.by_hand(which), which
    if case.kind in COUNTED_ELEMENTS:
        assert case.elementwise() == case.tally().elementwise > 0
