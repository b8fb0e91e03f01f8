"""Each torch module compared with the formula of its kind: parameters, output shape, and FLOP by torch's counter.

Other kinds are compared with transformers' classes (tests/architectures/torch_*.py) and with counts by hand.
"""

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from pipeline.formulas.layers import KINDS
from pipeline.tools.measure.layers import MODULES, torch_module
from tests.tools.measure.audit import in_torch  # noqa: F401 registers more kinds

BATCH = 4
IMAGE, SEQUENCE = (8, 9, 9), (10, 16)
HEADS = {"heads": 4, "head_width": 4}
LAYERS = [
    ("linear", SEQUENCE, {"out_features": 12}),
    ("linear", SEQUENCE, {"out_features": 12, "has_bias": False}),
    ("feed_forward", SEQUENCE, {"width": 24}),
    ("feed_forward", SEQUENCE, {"width": 24, "is_gated": True, "has_biases": True}),
    ("squeeze_excitation", IMAGE, {"width": 4}),
    ("embedding", (10,), {"vocabulary": 50, "width": 16}),
    ("unembedding", SEQUENCE, {"vocabulary": 50, "has_bias": True}),
    ("position_embedding", SEQUENCE, {"positions": 12}),
    ("class_token", SEQUENCE, {}),
    ("learned_parameters", SEQUENCE, {"number": 160}),
    ("learned_parameters", SEQUENCE, {"number": 32}),
    ("learned_parameters", SEQUENCE, {"number": 7}),
    ("learned_parameters", IMAGE, {"number": 8}),
    ("conv1d", (6, 20), {"out_channels": 8, "kernel": 3, "stride": 2, "groups": 2}),
    ("conv2d", IMAGE, {"out_channels": 6, "kernel": [1, 5], "padding": [0, 2], "groups": 2}),
    ("conv3d", (3, 5, 6, 6), {"out_channels": 4, "kernel": 3, "dilation": 2, "has_bias": False}),
    ("depthwise_conv2d", IMAGE, {"kernel": 3, "multiplier": 2}),
    ("conv_transpose2d", IMAGE, {"out_channels": 4, "kernel": 3, "stride": 2, "padding": 1, "output_padding": 1}),
    ("patches", IMAGE, {"size": 3, "width": 12}),
    ("max_pool2d", IMAGE, {"kernel": 2, "stride": 2}),
    ("max_pool2d", IMAGE, {"kernel": 2, "stride": 2, "rounds_up": True}),
    ("average_pool2d", IMAGE, {"kernel": 3, "stride": 2, "padding": 1}),
    ("global_average_pool2d", IMAGE, {}),
    ("adaptive_average_pool2d", IMAGE, {"size": 4}),
    ("batch_norm", IMAGE, {}),
    ("batch_norm", (8, 20), {}),
    ("local_response_norm", IMAGE, {"size": 5}),
    ("layer_norm", SEQUENCE, {}),
    ("layer_norm", SEQUENCE, {"has_bias": False}),
    ("group_norm", IMAGE, {"groups": 2}),
    ("relu", IMAGE, {}),
    *(("activation", SEQUENCE, {"function": function}) for function in ("gelu", "softmax", "hard_swish")),
    ("dropout", IMAGE, {}),
    ("rnn", SEQUENCE, {"width": 12, "bias_vectors": 2}),
    ("gru", SEQUENCE, {"width": 12, "bias_vectors": 0, "is_bidirectional": True}),
    ("lstm", SEQUENCE, {"width": 12, "bias_vectors": 2, "projection": 4}),
    ("self_attention", SEQUENCE, HEADS),
    ("self_attention", SEQUENCE, {**HEADS, "key_value_heads": 2, "is_causal": True, "norm_parameters": 8}),
    ("self_attention", SEQUENCE, {**HEADS, "is_causal": True, "window": 4, "has_biases": True, "has_key_bias": False}),
    ("flatten", IMAGE, {}),
    ("select_position", SEQUENCE, {}),
    ("upsample2d", IMAGE, {"factor": 2}),
]  # fmt: skip


def test_every_module_is_compared():
    # torch_configs.py compares these two with transformers' encoder-decoders and mixtures.
    assert {kind for kind, _, _ in LAYERS} == set(MODULES) - {"cross_attention", "mixture_of_experts"}


@pytest.mark.parametrize(("kind", "shape", "arguments"), LAYERS)
def test_a_module_is_the_layer_that_the_formula_counts(kind, shape, arguments):
    count = KINDS[kind](shape, **arguments)
    # On meta tensors, torch counts fused attention and recurrent layers, which it does not do on a CPU.
    with torch.device("meta"):
        module = torch_module(kind, shape, arguments).eval()
        example = torch.zeros(BATCH, *shape, dtype=torch.long if kind == "embedding" else torch.float)
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        out = module(example)
    assert sum(parameter.numel() for parameter in module.parameters()) == count.parameters
    assert tuple(out.shape) == (BATCH, *count.shape)
    assert counter.get_total_flops() == BATCH * (count.matrix_flop + count.full_score_flop)


def test_a_window_hides_positions_outside_of_it():
    module = torch_module("self_attention", (5, 4), {"heads": 1, "head_width": 4, "is_causal": True, "window": 2})
    x = torch.randn(1, 5, 4)
    far = x.clone()
    far[:, 0] += 1
    changed = (module(x) != module(far)).any(-1)[0].tolist()
    assert changed == [True, True, False, False, False]
