"""Layers compared with a slow count over every output element, and properties that must hold for all sizes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.formulas import layers
from pipeline.formulas.layers import (
    LayerError,
    conv2d,
    feed_forward,
    latent_attention,
    linear,
    linear_attention,
    max_pool2d,
    mixture_of_experts,
    self_attention,
)


@pytest.mark.parametrize("is_causal", [True, False])
@pytest.mark.parametrize("length", [1, 2, 5, 8])
def test_attention_scores_are_the_pairs_that_see_each_other(length, is_causal):
    heads, head_width = 3, 4
    seen = sum(1 for query in range(length) for key in range(length) if key <= query or not is_causal)
    count = self_attention((length, 12), heads=heads, head_width=head_width, is_causal=is_causal)
    # QK and AV: head_width multiply-adds per pair and head, twice
    assert count.score_flop == 2 * 2 * seen * heads * head_width
    assert count.full_score_flop == 2 * 2 * length * length * heads * head_width


def test_grouped_queries_share_keys_and_values():
    whole = self_attention((7, 64), heads=8, head_width=8)
    shared = self_attention((7, 64), heads=8, head_width=8, key_value_heads=2)
    # keys and values: 2 x 64 x 64 weights become 2 x 64 x 16
    assert whole.parameters - shared.parameters == 2 * 64 * 48
    assert whole.score_flop == shared.score_flop


# "some 65e9 a token for the indexer's scores over 128K and 10e9 for the selected keys": 2 x 61 x 64 x 128 x 2**16 and
# 2 x 61 x 128 x (192 + 128) x 2048, where all keys would be 2 x 61 x 128 x 320 x 2**16 = 327e9.
def test_deepseeks_sparse_attention_costs_a_quarter_of_the_dense_one():
    length, layers_ = 2**17, 61
    latent = {
        "heads": 128,
        "query_rank": 1536,
        "key_value_rank": 512,
        "head_width": 128,
        "rotary_width": 64,
        "value_width": 128,
    }
    indexer = {"index_heads": 64, "index_width": 128, "selected_keys": 2048}
    dense, sparse = (latent_attention((length, 7168), **latent, **more) for more in ({}, indexer))
    assert layers_ * dense.score_flop / length == pytest.approx(327.5e9, rel=1e-3)
    assert layers_ * sparse.score_flop / length == pytest.approx(65.5e9 + 10.2e9, rel=0.01)
    # Only the selected pairs have a backward pass; the indexer has 64 x 128 x 1536 + 7168 x (128 + 64) weights and a
    # norm of 256.
    selected = sparse.score_flop - sparse.unlearned_flop
    assert sparse.backward_flop(True) == 2 * sparse.matrix_flop + 2 * selected
    assert layers_ * selected / length == pytest.approx(10.2e9 + 2.05e9, rel=0.01)
    assert sparse.parameters - dense.parameters == 64 * 128 * 1536 + 7168 * 192 + 256


def test_experts_are_stored_in_full_and_used_in_part():
    one = feed_forward((1, 16), width=32, is_gated=True)
    count = mixture_of_experts((1, 16), experts=10, experts_per_token=2, expert_width=32, shared_experts=1)
    assert count.parameters == 11 * one.parameters + 16 * 10
    assert count.active_parameters == 3 * one.parameters + 16 * 10
    assert count.forward_flop == 3 * one.forward_flop + 2 * 16 * 10


# Every kind with weights or scores, on a suitable input.
SEQUENCES = {
    "linear": {"out_features": 5},
    "unembedding": {"vocabulary": 11},
    "lstm": {"width": 6},
    "self_attention": {"heads": 2, "head_width": 4, "is_causal": True},
    "cross_attention": {"heads": 2, "head_width": 4, "source_positions": 3, "source_width": 8},
    "latent_attention": {
        "heads": 2,
        "query_rank": 3,
        "key_value_rank": 2,
        "head_width": 4,
        "rotary_width": 2,
        "value_width": 4,
    },
    "linear_attention": {
        "heads": 4,
        "key_width": 3,
        "value_width": 2,
        "key_heads": 2,
        "kernel": 4,
        "has_delta_rule": True,
    },
    "feed_forward": {"width": 16, "is_gated": True},
    "mixture_of_experts": {"experts": 4, "experts_per_token": 2, "expert_width": 8},
    "next_token_merge": {},
}


@pytest.mark.parametrize("kind", SEQUENCES)
@given(positions=st.integers(1, 300))
def test_backward_lies_between_one_and_two_forwards(kind, positions):
    count = layers.KINDS[kind]((positions, 8), **SEQUENCES[kind])
    assert count.backward_flop(True) == 2 * count.forward_flop
    assert count.forward_flop <= count.backward_flop(False) <= 2 * count.forward_flop
    assert count.parameters >= count.active_parameters >= 0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: conv2d((3, 4, 4), out_channels=8, kernel=7), "the kernel reaches over 7 of a padded input of 4"),
        (
            lambda: conv2d((3, 8, 8), out_channels=8, kernel=3, groups=2),
            "3 input channels cannot be divided into 2 groups",
        ),
        (
            lambda: conv2d((10,), out_channels=8, kernel=3),
            "needs an input of channels x height x width, not of shape 10",
        ),
        (lambda: linear((10,), out_features=-1), "out_features must be a number above 0, not -1"),
        (lambda: conv2d((3, 8, 8), out_channels=8, kernel=3, padding=-1), "padding must not be negative, not -1"),
        (lambda: max_pool2d((3, 8, 8), kernel=0, stride=1), "kernel must be a number above 0, not 0"),
        (
            lambda: self_attention((8, 64), heads=8, head_width=8, key_value_heads=3),
            "8 heads cannot share 3 key_value_heads",
        ),
        (
            lambda: linear_attention((8, 64), heads=8, key_width=8, value_width=8, key_heads=3),
            "8 heads cannot share 3 key_heads",
        ),
        (
            lambda: mixture_of_experts((8, 64), experts=2, experts_per_token=3, expert_width=8),
            "a token cannot use 3 of 2 experts",
        ),
        (
            lambda: latent_attention((8,), **SEQUENCES["latent_attention"]),
            "needs an input of positions x width, not of shape 8",
        ),
    ],
)
def test_a_layer_that_cannot_be_says_why(make, message):
    with pytest.raises(LayerError, match=f"^{message}$"):
        make()
