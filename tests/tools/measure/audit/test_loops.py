"""The slow loops: their counts, their independence, and the formulas of backward passes gradient by gradient."""

import ast
from itertools import product
from pathlib import Path

import pytest

from pipeline.formulas.layers import conv2d, linear, self_attention
from tests.tools.measure.audit import loops
from tests.tools.measure.audit.loops import MULTIPLY_ADD_FLOP, Tally


def test_the_loops_import_nothing_of_ours():
    for path in Path(loops.__file__).parent.glob("*.py"):
        tree = ast.parse(path.read_text())
        modules = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        ours = [module for module in modules if module.startswith(("pipeline", "schemas"))]
        assert [module for module in ours if not module.startswith("tests.tools.measure.audit.loops")] == [], path.name


def test_the_loop_counts_what_is_multiplied():
    tally = Tally()
    # 3 inputs to 2 outputs, then 2 to 4: 3 * 2 + 2 * 4 = 14
    tally.dense(tally.dense([1, 1, 1], 2), 4)
    assert tally.forward_flop == 2 * 14
    # every weight once, the inputs of both layers once each
    assert tally.backward_flop == 2 * (14 + 14)
    # on raw input the first layer needs no gradient of its input: 14 + 8
    assert tally.first_backward_flop == 2 * (14 + 8)


def test_backward_of_a_linear_layer_gradient_by_gradient():
    positions, inputs, outputs = 4, 5, 3
    of_weights = sum(1 for _weight in product(range(outputs), range(inputs)) for _position in range(positions))
    of_inputs = sum(1 for _input in product(range(positions), range(inputs)) for _output in range(outputs))
    count = linear((positions, inputs), out_features=outputs, has_bias=False)
    assert count.backward_flop(True) == MULTIPLY_ADD_FLOP * (of_weights + of_inputs)
    assert count.backward_flop(False) == MULTIPLY_ADD_FLOP * of_weights


@pytest.mark.parametrize(
    ("groups", "stride", "padding", "dilation"), [(1, 1, 0, 1), (2, 1, 1, 1), (4, 2, 1, 1), (2, 2, 2, 2)]
)
def test_backward_of_a_convolution_gradient_by_gradient(groups, stride, padding, dilation):
    channels, size, out_channels, kernel = 4, 7, 8, 3
    settings = {"kernel": kernel, "stride": stride, "padding": padding, "groups": groups, "dilation": dilation}
    count = conv2d((channels, size, size), out_channels=out_channels, **settings)
    starts = [at for at in range(0, size + 2 * padding, stride) if at + (kernel - 1) * dilation < size + 2 * padding]
    taps = list(product(range(kernel), range(kernel)))
    of_weights = 0
    for _out, _channel, _tap in product(range(out_channels), range(channels // groups), taps):
        for _place in product(starts, starts):
            of_weights += 1
    of_inputs = 0
    # each input, including the padding, gets a product from every output of its group whose window contains it
    for channel, row, column in product(range(channels), range(size + 2 * padding), range(size + 2 * padding)):
        for out, (down, right) in product(range(out_channels), taps):
            shares_group = out * groups // out_channels == channel * groups // channels
            if shares_group and row - down * dilation in starts and column - right * dilation in starts:
                of_inputs += 1
    assert count.backward_flop(True) == MULTIPLY_ADD_FLOP * (of_weights + of_inputs)
    assert count.backward_flop(False) == MULTIPLY_ADD_FLOP * of_weights


@pytest.mark.parametrize("is_causal", [False, True])
def test_backward_of_attention_scores_gradient_by_gradient(is_causal):
    length, heads, width = 6, 2, 3
    gradients = 0
    for _head, query, key, _axis in product(range(heads), range(length), range(length), range(width)):
        if key <= query or not is_causal:
            gradients += 2  # for the query and the key
            gradients += 2  # for the weight and the value
    count = self_attention((length, heads * width), heads=heads, head_width=width, is_causal=is_causal)
    projections = 2 * 4 * length * (heads * width) ** 2
    assert count.backward_flop(True) == MULTIPLY_ADD_FLOP * (gradients + projections)
