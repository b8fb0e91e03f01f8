"""Small networks, each for the formulas and for the slow loops: every layer kind under several conditions."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from inspect import signature
from typing import Any

from pipeline.architectures.network import Frozen, Input, Layer, Node, Sum, place
from pipeline.formulas.layers import KINDS
from tests.formulas import loops
from tests.formulas.loops import FIXED, INPUT, LEARNED, LOOPS, Tally

PASSES = ("forward", "backward", "first_backward")
# A layer of a case has no biases unless the case sets them. Slow loops leave them out, because they are no products.
WITHOUT_BIASES = {"has_bias": False, "bias_vectors": 0}
BIASES = (*WITHOUT_BIASES, "has_biases")


@dataclass(frozen=True, eq=False)
class Case:
    """One network to count. `shape` is without the batch.

    `passes` are those in which something is computed, and `run` counts one example with the slow loops.
    """

    kind: str
    condition: str
    shape: tuple[int, ...]
    nodes: tuple[Node, ...]
    run: Callable[[Tally], Any]
    batch: int
    passes: tuple[str, ...]

    @property
    def name(self):
        """Return the kind and the condition under which it is counted."""
        return f"{self.kind}: {self.condition}"

    def placed(self, has_trainable_below):
        """Return the layers as the formulas count them; with `has_trainable_below`, a trainable layer is below them."""
        below = [Layer("learned_parameters", {"number": 1})] if has_trainable_below else []
        return list(place([Input(self.shape), *below, *self.nodes]))[len(below) :]

    def ours(self, which):
        """Return the FLOP of the whole batch by the formulas."""
        amounts = (
            layer.times * (layer.count.forward_flop if which == "forward" else layer.backward_flop)
            for layer in self.placed(which == "backward")
        )
        return int(self.batch * sum(amounts))

    def elementwise(self):
        """Return the elementwise operations of the whole batch by the formulas, which no total includes."""
        return int(self.batch * sum(layer.count.elementwise_flop * layer.times for layer in self.placed(False)))

    @cache  # noqa: B019 cases live as long as the program
    def tally(self):
        """Return the counts of the slow loops for one example."""
        tally = Tally()
        self.run(tally)
        return tally

    def by_hand(self, which):
        """Return the FLOP of the whole batch by the slow loops."""
        return self.batch * int(getattr(self.tally(), f"{which}_flop"))


def case(kind, condition, shape, *, batch=1, run=None, nodes=None, passes=PASSES, **arguments):
    """Return a case of a layer, whose arguments go to formula and slow loop; `nodes` and `run` replace these."""
    size, loop = tuple(shape), run or LOOPS[kind]
    of_loop = {name: value for name, value in arguments.items() if name not in BIASES}
    if nodes is None:
        unbiased = {name: value for name, value in WITHOUT_BIASES.items() if name in signature(KINDS[kind]).parameters}
        nodes = (Layer(kind, unbiased | arguments),)
    return Case(kind, condition, size, tuple(nodes), lambda tally: loop(tally, size, **of_loop), batch, passes)


def _linear():
    out, plain = {"out_features": 48}, Layer("linear", {"out_features": 48, "has_bias": False})
    square = Layer("linear", {"out_features": 32, "has_bias": False})

    def doubled(tally, shape):
        tally.dense(tally.dense([INPUT] * shape[0], shape[0]), shape[0])

    def beside(tally, shape, *, out_features, rank):
        tally.dense([INPUT] * shape[0], out_features, weight=FIXED)
        tally.dense(tally.dense([INPUT] * shape[0], rank), out_features)

    def above(tally, shape, *, out_features):
        tally.dense(tally.dense([INPUT] * shape[0], shape[0], weight=FIXED), out_features)

    adapted = [Sum([Frozen([plain])], [Layer("low_rank_adapter", {"out_features": 48, "rank": 4})])]
    return [
        case("linear", "plain", (32,), **out),
        case("linear", "bias", (32,), has_bias=True, **out),
        case("linear", "batch 64", (32,), batch=64, **out),
        case("linear", "16 positions", (16, 32), **out),
        case("linear", "the same module twice", (32,), run=doubled, nodes=[square, square]),
        case("linear", "low-rank adapter on a frozen layer", (32,), run=beside, nodes=adapted, rank=4, **out),
        case("linear", "on a frozen layer", (32,), run=above, nodes=[Frozen([square]), plain], **out),
    ]


def _convolutions():
    image, deep, flat, small = (4, 9, 9), (8, 9, 9), (6, 20), {"out_channels": 6, "kernel": 3}
    up, line, volume = (6, 5, 5), {"out_channels": 8, "kernel": 3}, {"out_channels": 4, "kernel": 3}
    return [
        case("conv2d", "plain", image, **small),
        case("conv2d", "bias", image, has_bias=True, **small),
        case("conv2d", "stride 2, padding 1", image, stride=2, padding=1, **small),
        case("conv2d", "groups 2", image, groups=2, **small),
        case("conv2d", "dilation 2", image, dilation=2, **small),
        case("conv2d", "groups 2, dilation 2, stride 2, padding 2", image, groups=2, dilation=2, stride=2, padding=2, **small),
        case("conv2d", "kernel 1", image, out_channels=6, kernel=1),
        case("conv2d", "kernel 1 x 5, padding 0 x 2", image, out_channels=6, kernel=[1, 5], padding=[0, 2]),
        case("conv2d", "batch 64", (2, 5, 5), batch=64, out_channels=3, kernel=3),
        case("depthwise_conv2d", "plain", deep, kernel=3),
        case("depthwise_conv2d", "stride 2, padding 1", deep, kernel=3, stride=2, padding=1),
        case("depthwise_conv2d", "dilation 2", deep, kernel=3, dilation=2),
        case("depthwise_conv2d", "multiplier 2", deep, kernel=3, multiplier=2),
        case("conv1d", "plain", flat, **line),
        case("conv1d", "stride 2, padding 1", flat, stride=2, padding=1, **line),
        case("conv1d", "groups 2", flat, groups=2, **line),
        case("conv3d", "plain", (3, 5, 6, 6), **volume),
        case("conv3d", "stride 2, padding 1", (3, 5, 6, 6), stride=2, padding=1, **volume),
        case("conv3d", "dilation 2", (3, 5, 6, 6), dilation=2, **volume),
        case("conv_transpose2d", "plain", up, **volume),
        case("conv_transpose2d", "stride 2, padding 1, output padding 1", up, stride=2, padding=1, output_padding=1, **volume),
        case("conv_transpose2d", "groups 2", up, groups=2, **volume),
        case("patches", "4 x 4", (3, 16, 16), size=4, width=12),
        case("squeeze_excitation", "plain", (32, 2, 2), width=16),
    ]  # fmt: skip


def _recurrences():
    size, shape = {"width": 12}, (6, 10)

    def stacked(tally, shape, *, width, layers):
        loops.recurrent.lstm(tally, shape, width=width)
        # The second layer reads the first one's outputs and its own state, which are trainable.
        for _product in range(shape[0] * 4 * 2):
            tally.dense([LEARNED] * width, width)

    layer, kinds = Layer("lstm", {"width": 12}), ("rnn", "gru", "lstm")
    return [
        *(case(kind, "plain", shape, **size) for kind in kinds),
        *(case(kind, "biases", shape, bias_vectors=2, **size) for kind in kinds),
        *(case(kind, "bidirectional", shape, is_bidirectional=True, **size) for kind in kinds),
        case("lstm", "projection", shape, projection=4, **size),
        case("lstm", "projection, bidirectional", shape, projection=4, is_bidirectional=True, **size),
        case("lstm", "two layers", shape, run=stacked, nodes=[layer, layer], layers=2, **size),
        case("lstm", "batch 64", (3, 5), batch=64, width=4),
    ]


def _attentions():
    size, shape = {"heads": 4, "head_width": 4}, (10, 16)
    latent = {"heads": 4, "query_rank": 6, "key_value_rank": 5, "head_width": 4, "rotary_width": 2, "value_width": 3}
    return [
        case("self_attention", "plain", shape, **size),
        case("self_attention", "biases", shape, has_biases=True, **size),
        case("self_attention", "causal", shape, is_causal=True, **size),
        case("self_attention", "causal, window 4", shape, is_causal=True, window=4, **size),
        case("self_attention", "grouped-query", shape, key_value_heads=2, **size),
        case("self_attention", "multi-query, causal", shape, key_value_heads=1, is_causal=True, **size),
        case("self_attention", "batch 64", (4, 8), batch=64, heads=2, head_width=4),
        case("self_attention", "256 positions", (256, 4), heads=2, head_width=2),
        case("cross_attention", "plain", shape, source_positions=7, source_width=12, **size),
        case("window_attention", "4 x 4 windows", (12, 8, 8), heads=3, head_width=4, window=4, has_biases=False),
        case("latent_attention", "plain", shape, **latent),
        case("latent_attention", "selected keys", shape, index_heads=2, index_width=3, selected_keys=4, **latent),
    ]  # fmt: skip


def _transformers():
    shape, size = (10, 16), {"heads": 4, "head_width": 4, "width": 32}
    block = (
        Sum([Layer("self_attention", {"heads": 4, "head_width": 4, "has_biases": True})]),
        Layer("layer_norm"),
        Sum([Layer("feed_forward", {"width": 32, "has_biases": True})]),
        Layer("layer_norm"),
    )

    def walked(tally, shape, *, heads, head_width, width):
        # On raw input, the feed-forward part still has the attention's weights below it.
        loops.attention.self_attention(tally, shape, heads=heads, head_width=head_width)
        for _ in range(shape[0]):
            loops.dense.fed_forward(tally, [LEARNED] * shape[1], width)

    def headed(tally, shape, *, vocabulary, width):
        for _ in range(shape[0]):
            tally.dense([LEARNED] * width, vocabulary)

    head = [
        Layer("embedding", {"vocabulary": 50, "width": 16}),
        Layer("unembedding", {"vocabulary": 50, "is_tied": True}),
    ]
    raw, experts = ("forward", "first_backward"), {"experts": 4, "experts_per_token": 2, "expert_width": 12}
    delta = {"key_heads": 2, "kernel": 4, "scalars_per_head": 2, "has_gate": True, "has_delta_rule": True}
    return [
        case("feed_forward", "plain", shape, width=32),
        case("feed_forward", "gated", shape, width=32, is_gated=True),
        case("feed_forward", "biases", shape, width=32, has_biases=True),
        case("mixture_of_experts", "loop over experts", shape, **experts),
        case("mixture_of_experts", "one shared expert", shape, shared_experts=1, **experts),
        case("embedding", "plain", (10,), vocabulary=50, width=16, passes=raw),
        case("embedding", "with its transpose as head", (10,), run=headed, nodes=head, vocabulary=50, width=16, passes=raw),
        case("unembedding", "plain", shape, vocabulary=50),
        case("state_space", "plain", (8, 8), inner_width=16, state_width=4, rank=2, kernel=4),
        case("linear_attention", "lightning attention", (8, 8), heads=2, key_width=4, value_width=4, has_gate=True),
        case("linear_attention", "Mamba-2", (8, 8), heads=4, key_width=3, value_width=4, key_heads=2, kernel=4, scalars_per_head=1, has_gate=True),
        case("linear_attention", "gated delta rule", (8, 8), heads=4, key_width=4, value_width=2, **delta),
        case("encoder_layer", "plain", shape, run=walked, nodes=block, **size),
    ]  # fmt: skip


def _grids():
    # These begin with weights (norms, positions), so their products are never on raw input, and there is no first
    # layer.
    inside = ("forward", "backward")
    return [
        case("patch_merging", "plain", (4, 6, 6), passes=inside),
        case("attention_pool2d", "plain", (8, 4, 4), heads=2, out_features=6, passes=inside),
        case("axial_attention", "rows", (4, 6, 8), heads=2, head_width=4, passes=inside),
        case("axial_attention", "columns", (4, 6, 8), heads=2, head_width=4, is_over_columns=True, passes=inside),
        case("triangle_multiplication", "plain", (6, 6, 8), width=4, passes=inside),
        case("outer_product_mean", "plain", (5, 6, 8), width=3, out_features=4, passes=inside),
    ]


def _without_products():
    image, raw = (4, 8, 8), ("forward",)
    return [
        case("max_pool2d", "kernel 2, stride 2", image, kernel=2, stride=2, passes=raw),
        case("max_pool2d", "kernel 3, stride 2, padding 1", image, kernel=3, stride=2, padding=1, passes=raw),
        case("max_pool2d", "rounded up", image, kernel=3, stride=2, rounds_up=True, passes=raw),
        case("average_pool2d", "kernel 2, stride 2", image, kernel=2, stride=2, passes=raw),
        case("global_average_pool2d", "plain", image, passes=raw),
        case("batch_norm", "plain", image, passes=raw),
        case("adaptive_average_pool2d", "to 4 x 4", image, size=4, passes=raw),
        case("layer_norm", "plain", (10, 16), has_bias=True, passes=raw),
        case("layer_norm2d", "plain", image, passes=raw),
        case("group_norm", "two groups", image, groups=2, passes=raw),
        case("relu", "plain", image, passes=raw),
        case("activation", "gelu", image, function="gelu", passes=raw),
        case("activation", "softmax", (10, 16), function="softmax", passes=raw),
        case("dropout", "plain", image, passes=raw),
        case("upsample2d", "factor 2", image, factor=2, passes=raw),
    ]


def _network():
    shape, channels, classes = (3, 8, 8), 8, 10
    plain = {"kernel": 3, "padding": 1, "has_bias": False}
    nodes = [
        Layer("conv2d", {"out_channels": channels, **plain}),
        Layer("batch_norm"),
        Layer("relu"),
        Layer("max_pool2d", {"kernel": 2, "stride": 2}),
        Layer("depthwise_conv2d", plain),
        Layer("global_average_pool2d"),
        Layer("linear", {"out_features": classes, "has_bias": False}),
    ]

    def walked(tally, shape):
        loops.convolution.convolve(tally, loops.grid(shape), shape, channels, 3, padding=1)
        half = (channels, shape[1] // 2, shape[2] // 2)
        loops.convolution.convolve(tally, loops.grid(half, LEARNED), half, channels, 3, padding=1, groups=channels)
        tally.dense([LEARNED] * channels, classes)

    return case("network", "convolutions, norms, pooling, classifier, batch 2", shape, batch=2, run=walked, nodes=nodes)


CASES = {
    case.name: case
    for case in (
        *_linear(),
        *_convolutions(),
        *_recurrences(),
        *_attentions(),
        *_transformers(),
        *_grids(),
        *_without_products(),
        _network(),
    )
}
