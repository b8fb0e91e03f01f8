"""The slow loops are independent of the formulas, and count the same in every case."""

import ast
from pathlib import Path

import pytest

from pipeline.formulas.layers import KINDS
from tests.formulas import loops
from tests.formulas.loop_cases import CASES
from tests.formulas.loops import Tally

# Kinds that only reorder, select or add, sums counted elsewhere, and three whose products occur in other cases:
# AlexNet's norm, a linear layer under two norms, and a recurrent decoder's attention, which takes three inputs.
WITHOUT_A_CASE = {
    "average_positions", "class_token", "compressed_attention", "convolutional_network", "crop2d", "flatten",
    "hyper_connection", "join", "learned_parameters", "local_response_norm", "next_token_merge", "short_convolution", "position_embedding", "reshape", "select_position", "source_attention", "transpose",
}  # fmt: skip
# Elementwise operations are defined one by one; for softmax, gates and norms the number is approximate.
COUNTED_ELEMENTS = {"max_pool2d", "average_pool2d", "global_average_pool2d", "batch_norm", "relu"}


def test_the_loops_import_nothing_of_ours():
    for path in Path(loops.__file__).parent.glob("*.py"):
        tree = ast.parse(path.read_text())
        modules = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        assert not [module for module in modules if module.startswith(("pipeline", "schemas"))], path.name


def test_the_loop_counts_what_is_multiplied():
    tally = Tally()
    # 3 inputs to 2 outputs, then 2 to 4: 3 * 2 + 2 * 4 = 14
    tally.dense(tally.dense([1, 1, 1], 2), 4)
    assert tally.forward_flop == 2 * 14
    # every weight once, the inputs of both layers once each
    assert tally.backward_flop == 2 * (14 + 14)
    # on raw input the first layer needs no gradient of its input: 14 + 8
    assert tally.first_backward_flop == 2 * (14 + 8)


def test_every_layer_kind_has_a_case():
    counted = {placed.kind for case in CASES.values() for placed in case.placed(False)}
    assert set(KINDS) - counted == WITHOUT_A_CASE, "a layer kind needs a case in tests/formulas/loop_cases.py"


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_slow_loop_equals_the_formulas(case):
    for which in case.passes:
        assert case.ours(which) == case.by_hand(which), which
    if case.kind in COUNTED_ELEMENTS:
        assert case.elementwise() == case.tally().elementwise > 0
