"""The exact backward pass: the ratio post's four cells, frozen weights, adapters, products of activations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.architectures import counted
from pipeline.architectures.network import Frozen, Input, Layer, Sum, place
from pipeline.formulas.layers import KINDS, linear, low_rank_adapter, self_attention
from pipeline.formulas.totals import total

SGD_FLOP = 2  # per parameter (the ratio post, appendix B)


def dense(features):
    return Layer("linear", {"out_features": features, "has_bias": False})


def backwards(nodes):
    return [each.backward_flop for each in place(nodes)]


# The ratio post's summary (epochai.org/blog/backward-forward-FLOP-ratio) includes SGD's update in the backward pass. A
# linear layer's pass costs 2 FLOP per weight and example, its update 2 FLOP per weight: at a batch of one, 1 + 1 = 2
# and 2 + 1 = 3.
@pytest.mark.parametrize(
    ("layer", "batch", "ratio"), [("first", 1, 2), ("other", 1, 3), ("first", 10**9, 1), ("other", 10**9, 2)]
)
def test_the_ratio_posts_four_cells(layer, batch, ratio):
    first, other = place([Input((batch, 50)), dense(40), dense(30)])
    placed = first if layer == "first" else other
    backward = placed.backward_flop + placed.count.parameters * SGD_FLOP
    assert backward / placed.count.forward_flop == pytest.approx(ratio, rel=1e-8)


def test_a_convolution_hides_its_update_even_at_a_batch_of_one():
    # The post: "FLOP for weight updates basically play no role", since each of 112 x 112 outputs uses every weight.
    nodes = [Layer("conv2d", {"out_channels": 64, "kernel": 7, "stride": 2, "padding": 3, "has_bias": False})]
    nodes.append(Layer("conv2d", {"out_channels": 64, "kernel": 3, "padding": 1, "has_bias": False}))
    ratios = [
        (each.backward_flop + each.count.parameters * SGD_FLOP) / each.count.forward_flop
        for each in place([Input((3, 224, 224)), *nodes])
    ]
    assert ratios == pytest.approx([1, 2], rel=1e-4)


def test_resnet_18_exactly():
    # Its first convolution reads the image: 10,884,440,064 by the flat rule, minus 236,027,904.
    sums = counted({"family": "resnet", "depth": 18, "image_size": 224, "classes": 1000})
    assert sums.forward_flop + sums.backward_flop == 10_648_412_160 == 3 * sums.forward_flop - 236_027_904


def test_nothing_below_the_lowest_trainable_weight_has_a_backward_pass():
    nodes = [Input((8, 16)), Frozen([dense(16), dense(16)]), dense(16), Frozen([dense(16)]), dense(16)]
    one = 2 * 8 * 16 * 16
    # frozen on data, the lowest trainable (only weights), frozen above it (only input), trainable (both)
    assert backwards(nodes) == [0, 0, one, one, 2 * one]


def test_an_embedding_is_something_to_learn_below_unless_it_is_frozen():
    look_up = Layer("embedding", {"vocabulary": 100, "width": 16})
    one = 2 * 8 * 16 * 16
    assert backwards([Input((8,)), look_up, dense(16)])[1] == 2 * one
    assert backwards([Input((8,)), Frozen([look_up]), dense(16)])[1] == one


def test_a_new_input_starts_from_nothing_to_learn():
    one = 2 * 8 * 16 * 16
    assert backwards([Input((8, 16)), dense(16), dense(16), Input((8, 16)), dense(16)]) == [one, 2 * one, one]


def test_activations_and_pools_have_no_flop_to_go_back():
    nodes = [Input((4, 8, 8)), Layer("conv2d", {"out_channels": 4, "kernel": 1}), Layer("relu"), Layer("flatten")]
    assert backwards(nodes)[1:] == [0, 0]


def adapted(width, rank):
    return Sum([Frozen([dense(width)])], [Layer("low_rank_adapter", {"out_features": width, "rank": rank})])


def test_lora_on_a_frozen_base_is_one_to_one():
    # The frozen base needs no weight gradient; an adapter of rank 8 at width 4096 adds 2 * 8 / 4096 to each pass.
    width, rank = 4096, 8
    nodes = [Input((10, width)), adapted(width, rank), adapted(width, rank)]
    lowest_base, lowest_adapter, base, adapter = place(nodes)
    assert base.backward_flop == base.count.forward_flop == 2 * 10 * width * width
    assert adapter.backward_flop == 2 * adapter.count.forward_flop == 2 * 2 * 10 * 2 * width * rank
    ratio = (base.backward_flop + adapter.backward_flop) / (base.count.forward_flop + adapter.count.forward_flop)
    assert ratio == pytest.approx(1, abs=2 * 2 * rank / width)
    # nothing below the bottom layer is trainable: no gradient leaves through the base or through the adapter's narrow
    # end
    assert lowest_base.backward_flop == 0
    assert lowest_adapter.backward_flop == 2 * 10 * rank * (2 * width + width)


def test_an_adapter_is_its_two_matrices():
    count = low_rank_adapter((3, 7), out_features=5, rank=2)
    down, up = linear((3, 7), out_features=2, has_bias=False), linear((3, 2), out_features=5, has_bias=False)
    assert count.parameters == down.parameters + up.parameters
    assert count.forward_flop == down.forward_flop + up.forward_flop
    for has_below in (True, False):
        assert count.backward_flop(has_below) == down.backward_flop(has_below) + up.backward_flop(True)


@pytest.mark.parametrize("is_causal", [True, False])
def test_products_of_activations_go_back_two_to_one_even_where_weights_are_frozen(is_causal):
    count = self_attention((16, 32), heads=4, head_width=8, is_causal=is_causal)
    scores = count._replace(matrix_flop=0, input_flop=0)
    assert scores.backward_flop(True) == scores.backward_flop(False) == 2 * scores.forward_flop > 0
    assert scores.backward_flop(True, is_frozen=True) == 2 * scores.forward_flop
    assert scores.backward_flop(False, is_frozen=True) == 0
    assert count.backward_flop(True, is_frozen=True) == count.matrix_flop + 2 * count.score_flop


WIDTH = 8
STACKABLE = {
    "linear": {"out_features": WIDTH},
    "lstm": {"width": WIDTH},
    "gru": {"width": WIDTH},
    "rnn": {"width": WIDTH},
    "self_attention": {"heads": 2, "head_width": 4, "is_causal": True},
    "cross_attention": {"heads": 2, "head_width": 4, "source_positions": 3, "source_width": WIDTH},
    "feed_forward": {"width": 16, "is_gated": True},
    "mixture_of_experts": {"experts": 4, "experts_per_token": 2, "expert_width": 8},
    "state_space": {"inner_width": 16, "state_width": 4, "rank": 2, "kernel": 4},
    "linear_attention": {
        "heads": 2,
        "key_width": 3,
        "value_width": 4,
        "kernel": 4,
        "scalars_per_head": 1,
        "has_gate": True,
    },
    "low_rank_adapter": {"out_features": WIDTH, "rank": 2},
    "layer_norm": {},
    "relu": {},
}
LAYERS = st.sampled_from(sorted(STACKABLE)).map(lambda kind: Layer(kind, STACKABLE[kind]))
STACKS = st.lists(st.one_of(LAYERS, LAYERS.map(lambda layer: Frozen([layer]))), max_size=6)
LOOK_UP = [Layer("embedding", {"vocabulary": 10, "width": WIDTH})]


def totals(nodes):
    return total((each.count, each.backward_flop, each.times) for each in place(nodes))


@given(STACKS, STACKS, st.integers(1, 40))
def test_what_two_stacks_cost_is_the_sum_of_either(lower, upper, positions):
    start = [Input((positions,)), *LOOK_UP]
    both, one, other, neither = (totals([*start, *more]) for more in ([*lower, *upper], lower, upper, []))
    assert [a + b for a, b in zip(both, neither, strict=True)] == [a + b for a, b in zip(one, other, strict=True)]


LINEAR_KINDS = [kind for kind in STACKABLE if kind == "linear_attention" or "attention" not in kind]


@pytest.mark.parametrize("has_below", [True, False])
@pytest.mark.parametrize("is_frozen", [True, False])
@pytest.mark.parametrize("kind", LINEAR_KINDS)
@given(positions=st.integers(1, 300))
def test_without_attention_both_passes_are_linear_in_positions(kind, is_frozen, has_below, positions):
    one, many = (KINDS[kind]((length, WIDTH), **STACKABLE[kind]) for length in (1, positions))
    assert many.forward_flop == positions * one.forward_flop
    assert many.backward_flop(has_below, is_frozen) == positions * one.backward_flop(has_below, is_frozen)


@given(STACKS, st.integers(1, 40), st.booleans())
def test_the_backward_pass_costs_at_most_two_forward_passes(stack, positions, has_look_up):
    start = [Input((positions,)), *LOOK_UP] if has_look_up else [Input((positions, WIDTH))]
    for each in place([*start, *stack]):
        assert 0 <= each.backward_flop <= 2 * each.count.forward_flop


@given(STACKS, st.integers(1, 40))
def test_freezing_never_costs_more(stack, positions):
    start = [Input((positions,)), *LOOK_UP]
    whole, frozen = totals([*start, *stack]), totals([*start, Frozen(stack)])
    assert frozen.backward_flop <= whole.backward_flop
    assert frozen.forward_flop == whole.forward_flop
