"""Each torch module compared with the formula of its kind: parameters, output shape, and FLOP by torch's counter."""

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from pipeline.formulas.layers import KINDS
from tests.tools.measure.modules import UNBUILT_KINDS, torch_module

BATCH = 4
IMAGE, SEQUENCE, GRID = (8, 9, 9), (10, 16), (6, 6, 8)
HEADS = {"heads": 4, "head_width": 4}
EXPERTS = {"experts": 4, "experts_per_token": 2, "expert_width": 12}
LATENT = {"heads": 4, "key_value_rank": 5, "head_width": 4, "rotary_width": 2, "value_width": 3}
INDEXER = {"index_heads": 2, "index_width": 3, "selected_keys": 4}
MAMBA_2 = {
    "heads": 4,
    "key_width": 3,
    "value_width": 4,
    "key_heads": 2,
    "kernel": 4,
    "scalars_per_head": 1,
    "has_gate": True,
    "other_parameters": 9,
}
LAYERS = [
    ("linear", SEQUENCE, {"out_features": 12}),
    ("linear", SEQUENCE, {"out_features": 12, "has_bias": False}),
    ("feed_forward", SEQUENCE, {"width": 24}),
    ("feed_forward", SEQUENCE, {"width": 24, "is_gated": True, "has_biases": True}),
    ("low_rank_adapter", SEQUENCE, {"out_features": 12, "rank": 3}),
    ("squeeze_excitation", IMAGE, {"width": 4}),
    ("next_token_merge", SEQUENCE, {}),
    ("mixture_of_experts", SEQUENCE, EXPERTS),
    ("mixture_of_experts", SEQUENCE, {**EXPERTS, "is_gated": False}),
    ("mixture_of_experts", SEQUENCE, {**EXPERTS, "shared_experts": 1, "shared_expert_width": 7, "has_shared_gate": True}),
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
    ("patch_merging", IMAGE, {}),
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
    ("layer_norm2d", IMAGE, {}),
    ("group_norm", IMAGE, {"groups": 2}),
    ("relu", IMAGE, {}),
    *(("activation", SEQUENCE, {"function": each}) for each in ("gelu", "softmax", "hard_swish")),
    ("dropout", IMAGE, {}),
    ("rnn", SEQUENCE, {"width": 12, "bias_vectors": 2}),
    ("gru", SEQUENCE, {"width": 12, "bias_vectors": 0, "is_bidirectional": True}),
    ("lstm", SEQUENCE, {"width": 12, "bias_vectors": 2, "projection": 4}),
    ("state_space", (8, 8), {"inner_width": 16, "state_width": 4, "rank": 2, "kernel": 4}),
    ("state_space", (8, 8), {"inner_width": 16, "state_width": 4, "rank": 2, "kernel": 4, "has_bias": True}),
    ("linear_attention", (8, 8), {"heads": 2, "key_width": 3, "value_width": 4}),
    ("linear_attention", (8, 8), MAMBA_2),
    ("linear_attention", (8, 8), {**MAMBA_2, "scalars_per_head": 2, "has_delta_rule": True}),
    ("self_attention", SEQUENCE, HEADS),
    ("self_attention", SEQUENCE, {**HEADS, "key_value_heads": 2, "is_causal": True, "norm_parameters": 8}),
    ("self_attention", SEQUENCE, {**HEADS, "is_causal": True, "window": 4, "has_biases": True, "has_key_bias": False}),
    ("cross_attention", SEQUENCE, {**HEADS, "source_positions": 7, "source_width": 12, "has_biases": True}),
    ("latent_attention", SEQUENCE, {**LATENT, "query_rank": 6, "has_biases": True}),
    ("latent_attention", SEQUENCE, LATENT),
    ("latent_attention", SEQUENCE, {**LATENT, **INDEXER}),
    ("latent_attention", SEQUENCE, {**LATENT, **INDEXER, "query_rank": 6}),
    ("window_attention", (12, 6, 7), {"heads": 3, "head_width": 4, "window": 4, "bias_entries": 49}),
    ("attention_pool2d", (8, 4, 4), {"heads": 2, "out_features": 6}),
    ("axial_attention", GRID, {"heads": 2, "head_width": 4, "is_over_columns": True}),
    ("triangle_multiplication", GRID, {"width": 4}),
    ("outer_product_mean", GRID, {"width": 3, "out_features": 4}),
    ("flatten", IMAGE, {}),
    ("select_position", SEQUENCE, {}),
    ("average_positions", SEQUENCE, {}),
    ("transpose", SEQUENCE, {}),
    ("reshape", SEQUENCE, {"to": [4, 40]}),
    ("crop2d", IMAGE, {"size": 5}),
    ("upsample2d", IMAGE, {"factor": 2}),
    ("join", SEQUENCE, {"width": 6}),
]  # fmt: skip
SOURCES = {"cross_attention": (7, 12), "join": (3, 6)}


def test_every_kind_is_compared():
    assert {kind for kind, _, _ in LAYERS} == set(KINDS) - UNBUILT_KINDS - {"source_attention"}


@pytest.mark.parametrize(("kind", "shape", "arguments"), LAYERS)
def test_a_module_is_the_layer_that_the_formula_counts(kind, shape, arguments):
    count = KINDS[kind](shape, **arguments)
    # On meta tensors, torch counts fused attention and recurrent layers, which it does not do on a CPU.
    with torch.device("meta"):
        module = torch_module(kind, shape, arguments).eval()
        inputs = [torch.zeros(BATCH, *shape, dtype=torch.long if kind == "embedding" else torch.float)]
        inputs += [torch.zeros(BATCH, *SOURCES[kind])] if kind in SOURCES else []
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        out = module(*inputs)
    assert sum(each.numel() for each in module.parameters()) == count.parameters
    assert tuple(out.shape) == (BATCH, *count.shape)
    assert counter.get_total_flops() == BATCH * (count.matrix_flop + count.full_score_flop)


def test_a_window_hides_positions_outside_of_it():
    module = torch_module("self_attention", (5, 4), {"heads": 1, "head_width": 4, "is_causal": True, "window": 2})
    x = torch.randn(1, 5, 4)
    far = x.clone()
    far[:, 0] += 1
    changed = (module(x) != module(far)).any(-1)[0].tolist()
    assert changed == [True, True, False, False, False]


def test_a_query_sees_the_keys_that_the_indexer_selects():
    module = torch_module("latent_attention", (6, 4), {**LATENT, **INDEXER, "selected_keys": 1})
    x = torch.randn(1, 6, 4, requires_grad=True)
    module(x)[0, 5].sum().backward()
    # Its own position gives the query, and one of the others the key.
    assert (x.grad[0, :5].abs().sum(-1) > 0).sum() <= 1


def test_a_state_without_decay_is_attention_without_softmax():
    module = torch_module("linear_attention", (5, 4), {"heads": 1, "key_width": 3, "value_width": 2})
    x = torch.randn(2, 5, 4)
    queries, keys, values = module.into(x).split([3, 3, 2], -1)
    expected = module.out((queries @ keys.mT).tril() @ values)
    torch.testing.assert_close(module(x), expected)
