"""The cases of the audit: every layer kind under several conditions, and small networks."""

from collections.abc import Sequence
from typing import Any

from pipeline.architectures.network import Frozen, Layer, Node, Sum
from tests.tools.measure.audit import loops, variants
from tests.tools.measure.audit.case import Case, case
from tests.tools.measure.audit.loops import Tally


def _linear() -> list[Case]:
    out, plain = {"out_features": 48}, Layer("linear", {"out_features": 48, "has_bias": False})
    square = Layer("linear", {"out_features": 32, "has_bias": False})

    def doubled(tally: Tally, shape: Sequence[int], **_: Any) -> None:
        tally.dense(tally.dense([loops.INPUT] * shape[0], shape[0]), shape[0])
        tally.additions += shape[0] * shape[0]

    def beside(tally: Tally, shape: Sequence[int], *, out_features: int, rank: int) -> None:
        tally.dense([loops.INPUT] * shape[0], out_features, weight=loops.FIXED)
        tally.dense(tally.dense([loops.INPUT] * shape[0], rank), out_features)
        tally.additions += out_features

    def above(tally: Tally, shape: Sequence[int], *, out_features: int) -> None:
        tally.dense(tally.dense([loops.INPUT] * shape[0], shape[0], weight=loops.FIXED), out_features)

    return [
        case("linear", "plain", (32,), **out),
        case("linear", "bias", (32,), has_bias=True, **out),
        case("linear", "batch 2", (32,), batch=2, **out),
        case("linear", "batch 64", (32,), batch=64, **out),
        case("linear", "batch 128", (32,), batch=128, **out),
        case("linear", "bias, batch 64", (32,), batch=64, has_bias=True, **out),
        case("linear", "16 positions", (16, 32), **out),
        case("linear", "1024 positions", (1024, 8), out_features=12),
        case("linear", "F.linear", (32,), module=variants.linear_of(variants.functional), **out),
        case("linear", "x @ weight", (32,), module=variants.linear_of(lambda x, weight: x @ weight.T), **out),
        case("linear", "einsum", (32,), module=variants.linear_of(variants.einsum), **out),
        case("linear", "in three containers", (32,), module=variants.nested, **out),
        case("linear", "the same module twice", (32,), module=variants.twice, run=doubled, nodes=[square, square]),
        case(
            "linear",
            "low-rank adapter on a frozen layer",
            (32,),
            module=variants.adapted,
            run=beside,
            nodes=[Sum([Frozen([plain])], [Layer("low_rank_adapter", {"out_features": 48, "rank": 4})])],
            rank=4,
            **out,
        ),
        case(
            "linear", "on a frozen layer", (32,), module=variants.frozen_below, run=above, nodes=[Frozen([square]), plain], **out
        ),
    ]  # fmt: skip


def _convolutions() -> list[Case]:
    image, small = (4, 9, 9), {"out_channels": 6, "kernel": 3}
    return [
        case("conv2d", "plain", image, **small),
        case("conv2d", "bias", image, has_bias=True, **small),
        case("conv2d", "stride 2", image, stride=2, **small),
        case("conv2d", "padding 1", image, padding=1, **small),
        case("conv2d", "stride 2, padding 1", image, stride=2, padding=1, **small),
        case("conv2d", "groups 2", image, groups=2, **small),
        case("conv2d", "dilation 2", image, dilation=2, **small),
        case("conv2d", "groups 2, dilation 2, stride 2, padding 2", image, groups=2, dilation=2, stride=2, padding=2, **small),
        case("conv2d", "kernel 1", image, out_channels=6, kernel=1),
        case("conv2d", "kernel 1 x 5, padding 0 x 2", image, out_channels=6, kernel=[1, 5], padding=[0, 2]),
        case("conv2d", "batch 2", image, batch=2, **small),
        case("conv2d", "batch 64", (2, 5, 5), batch=64, out_channels=3, kernel=3),
        case("conv2d", "batch 128", (2, 5, 5), batch=128, out_channels=3, kernel=3),
        case("conv2d", "F.conv2d", image, module=variants.functional_convolution, **small),
        case("depthwise_conv2d", "plain", (8, 9, 9), kernel=3),
        case("depthwise_conv2d", "stride 2, padding 1", (8, 9, 9), kernel=3, stride=2, padding=1),
        case("depthwise_conv2d", "dilation 2", (8, 9, 9), kernel=3, dilation=2),
        case("depthwise_conv2d", "multiplier 2", (8, 9, 9), kernel=3, multiplier=2),
        case("depthwise_conv2d", "batch 2", (8, 9, 9), batch=2, kernel=3),
        case("depthwise_conv2d", "batch 64", (4, 5, 5), batch=64, kernel=3),
        case("conv1d", "plain", (6, 20), out_channels=8, kernel=3),
        case("conv1d", "stride 2, padding 1", (6, 20), out_channels=8, kernel=3, stride=2, padding=1),
        case("conv1d", "groups 2", (6, 20), out_channels=8, kernel=3, groups=2),
        case("conv1d", "dilation 2", (6, 20), out_channels=8, kernel=3, dilation=2),
        case("conv1d", "1024 positions", (2, 1024), out_channels=4, kernel=3, padding=1),
        case("conv1d", "batch 2", (6, 20), batch=2, out_channels=8, kernel=3),
        case("conv3d", "plain", (3, 5, 6, 6), out_channels=4, kernel=3),
        case("conv3d", "stride 2, padding 1", (3, 5, 6, 6), out_channels=4, kernel=3, stride=2, padding=1),
        case("conv3d", "groups 2", (4, 5, 6, 6), out_channels=4, kernel=3, groups=2),
        case("conv3d", "dilation 2", (3, 5, 6, 6), out_channels=4, kernel=3, dilation=2),
        case("conv3d", "batch 2", (3, 5, 6, 6), batch=2, out_channels=4, kernel=3),
        case("conv_transpose2d", "plain", (6, 5, 5), out_channels=4, kernel=3),
        case("conv_transpose2d", "stride 2", (6, 5, 5), out_channels=4, kernel=3, stride=2),
        case("conv_transpose2d", "padding 1", (6, 5, 5), out_channels=4, kernel=3, padding=1),
        case("conv_transpose2d", "stride 2, padding 1, output padding 1", (6, 5, 5), out_channels=4, kernel=3, stride=2, padding=1, output_padding=1),
        case("conv_transpose2d", "groups 2", (6, 5, 5), out_channels=4, kernel=3, groups=2),
        case("conv_transpose2d", "batch 2", (6, 5, 5), batch=2, out_channels=4, kernel=3),
        case("patches", "4 x 4", (3, 16, 16), size=4, width=12),
        case("squeeze_excitation", "plain", (32, 2, 2), width=16),
        case("squeeze_excitation", "batch 2", (32, 2, 2), batch=2, width=16),
    ]  # fmt: skip


def _recurrences() -> list[Case]:
    size, shape = {"width": 12}, (6, 10)

    def stacked(tally: Tally, shape: Sequence[int], *, width: int, layers: int) -> None:
        loops.recurrent.lstm(tally, shape, width=width)
        for step in range(shape[0]):
            # The second layer reads the first one's outputs, which are trainable.
            for number in (loops.LEARNED, loops.LEARNED if step else tally.first_state):
                for _gate in range(4):
                    tally.dense([number] * width, width)

    layer = Layer("lstm", {"width": 12})
    return [
        *(case(kind, "plain", shape, **size) for kind in ("rnn", "gru", "lstm")),
        *(case(kind, "biases", shape, bias_vectors=2, **size) for kind in ("rnn", "gru", "lstm")),
        *(case(kind, "bidirectional", shape, is_bidirectional=True, **size) for kind in ("rnn", "gru", "lstm")),
        *(case(kind, "batch 2", shape, batch=2, **size) for kind in ("rnn", "gru", "lstm")),
        case("lstm", "projection", shape, projection=4, **size),
        case("lstm", "projection, bidirectional", shape, projection=4, is_bidirectional=True, **size),
        case("lstm", "two layers", shape, module=variants.stacked_lstm, run=stacked, nodes=[layer, layer], layers=2, **size),
        case("lstm", "512 steps", (512, 4), width=3),
        case("lstm", "batch 64", (3, 5), batch=64, width=4),
        case("lstm", "batch 128", (3, 5), batch=128, width=4),
        case("lstm", "nn.LSTMCell in a loop", shape, module=variants.unrolled_lstm, **size),
    ]  # fmt: skip


def _attentions() -> list[Case]:
    size, shape = {"heads": 4, "head_width": 4}, (10, 16)
    fast = ("forward",)
    return [
        case("self_attention", "fused", shape, **size),
        case("self_attention", "by two matrix products", shape, module=variants.attention_by_products, **size),
        case("self_attention", "nn.MultiheadAttention", shape, module=variants.multihead(True), **size),
        case("self_attention", "nn.MultiheadAttention without weights", shape, module=variants.multihead(False), **size),
        case("self_attention", "nn.MultiheadAttention, inference", shape, module=variants.multihead(False, True), has_biases=True, passes=fast, **size),
        case("self_attention", "biases", shape, has_biases=True, **size),
        case("self_attention", "causal", shape, is_causal=True, **size),
        case("self_attention", "causal, window 4", shape, is_causal=True, window=4, **size),
        case("self_attention", "grouped-query", shape, key_value_heads=2, **size),
        case("self_attention", "multi-query, causal", shape, key_value_heads=1, is_causal=True, **size),
        case("self_attention", "batch 2", shape, batch=2, **size),
        case("self_attention", "batch 64", (4, 8), batch=64, heads=2, head_width=4),
        case("self_attention", "batch 128", (4, 8), batch=128, heads=2, head_width=4),
        case("self_attention", "256 positions", (256, 4), heads=2, head_width=2),
        case("self_attention", "256 positions, causal", (256, 4), heads=2, head_width=2, is_causal=True),
        case("cross_attention", "plain", shape, source_positions=7, source_width=12, **size),
        case("cross_attention", "batch 2", shape, batch=2, source_positions=7, source_width=12, **size),
        case("window_attention", "4 x 4 windows", (12, 8, 8), heads=3, head_width=4, window=4, has_biases=False),
        case("latent_attention", "plain", shape, module=variants.latent_attention_without_norms, heads=4, query_rank=6, key_value_rank=5, head_width=4, rotary_width=2, value_width=3),
        case("latent_attention", "selected keys", shape, module=variants.latent_attention_without_norms, heads=4, query_rank=6, key_value_rank=5, head_width=4, rotary_width=2, value_width=3, index_heads=2, index_width=3, selected_keys=4),
    ]  # fmt: skip


def _transformers() -> list[Case]:
    shape, size = (10, 16), {"heads": 4, "head_width": 4, "width": 32}
    block: tuple[Node, ...] = (
        Sum([Layer("self_attention", {"heads": 4, "head_width": 4, "has_biases": True})]),
        Layer("layer_norm"),
        Sum([Layer("feed_forward", {"width": 32, "has_biases": True})]),
        Layer("layer_norm"),
    )

    def walked(tally: Tally, shape: Sequence[int], *, heads: int, head_width: int, width: int) -> None:
        # On raw input, the feed-forward part still has the attention's weights below it.
        loops.attention.self_attention(tally, shape, heads=heads, head_width=head_width, has_biases=True)
        for _ in range(shape[0]):
            loops.dense.fed_forward(tally, [loops.LEARNED] * shape[1], width)
            tally.additions += width + shape[1]

    def headed(tally: Tally, shape: Sequence[int], *, vocabulary: int, width: int) -> None:
        for _ in range(shape[0]):
            tally.dense([loops.LEARNED] * width, vocabulary)
        tally.additions += vocabulary * width

    head = [
        Layer("embedding", {"vocabulary": 50, "width": 16}),
        Layer("unembedding", {"vocabulary": 50, "is_tied": True}),
    ]
    raw = ("forward", "first_backward")
    experts = {"experts": 4, "experts_per_token": 2, "expert_width": 12}
    return [
        case("feed_forward", "plain", shape, width=32),
        case("feed_forward", "gated", shape, width=32, is_gated=True),
        case("feed_forward", "biases", shape, width=32, has_biases=True),
        case("feed_forward", "batch 2", shape, batch=2, width=32),
        case("feed_forward", "512 positions", (512, 6), width=12),
        case("mixture_of_experts", "loop over experts", shape, module=variants.looped_experts, **experts),
        case("mixture_of_experts", "loop over experts, batch 2", shape, batch=2, module=variants.looped_experts, **experts),
        case("mixture_of_experts", "one shared expert", shape, module=variants.looped_experts, shared_experts=1, **experts),
        case("mixture_of_experts", "grouped matrix product", (16, 16), module=variants.grouped_experts, experts=4, experts_per_token=2, expert_width=16),
        case("embedding", "plain", (10,), vocabulary=50, width=16, passes=raw),
        case("embedding", "with its transpose as head", (10,), module=variants.tied, run=headed, nodes=head, vocabulary=50, width=16, passes=raw),
        case("unembedding", "plain", shape, vocabulary=50),
        case("unembedding", "batch 2", shape, batch=2, vocabulary=50),
        case("state_space", "plain", (8, 8), module=variants.state_space_without_biases, inner_width=16, state_width=4, rank=2, kernel=4),
        case("state_space", "batch 2", (8, 8), batch=2, module=variants.state_space_without_biases, inner_width=16, state_width=4, rank=2, kernel=4),
        case("state_space", "128 positions", (128, 4), module=variants.state_space_without_biases, inner_width=8, state_width=2, rank=1, kernel=4),
        case("linear_attention", "lightning attention", (8, 8), heads=2, key_width=4, value_width=4, has_gate=True),
        case("linear_attention", "Mamba-2", (8, 8), heads=4, key_width=3, value_width=4, key_heads=2, kernel=4, scalars_per_head=1, has_gate=True),
        case("linear_attention", "gated delta rule, batch 2", (8, 8), batch=2, heads=4, key_width=4, value_width=2, key_heads=2, kernel=4, scalars_per_head=2, has_gate=True, has_delta_rule=True),
        case("encoder_layer", "nn.TransformerEncoderLayer", shape, module=variants.encoder_layer(False), run=walked, nodes=block, **size),
        case("encoder_layer", "nn.TransformerEncoderLayer, inference", shape, module=variants.encoder_layer(True), run=walked, nodes=block, passes=("forward",), **size),
    ]  # fmt: skip


def _grids() -> list[Case]:
    # These begin with weights (norms, positions), so their products are never on raw input, and there is no first
    # layer.
    inside = ("forward", "backward")
    return [
        case("patch_merging", "plain", (4, 6, 6), passes=inside),
        case("attention_pool2d", "plain", (8, 4, 4), heads=2, out_features=6, passes=inside),
        case("axial_attention", "rows", (4, 6, 8), heads=2, head_width=4, passes=inside),
        case("axial_attention", "columns", (4, 6, 8), heads=2, head_width=4, is_over_columns=True, passes=inside),
        case("triangle_multiplication", "plain", (6, 6, 8), width=4, passes=inside),
        case("triangle_multiplication", "batch 2", (6, 6, 8), batch=2, width=4, passes=inside),
        case("outer_product_mean", "plain", (5, 6, 8), width=3, out_features=4, passes=inside),
    ]


def _without_products() -> list[Case]:
    image, raw = (4, 8, 8), ("forward",)
    return [
        case("max_pool2d", "kernel 2, stride 2", image, kernel=2, stride=2, passes=raw),
        case("max_pool2d", "kernel 3, stride 2, padding 1", image, kernel=3, stride=2, padding=1, passes=raw),
        case("max_pool2d", "rounded up", image, kernel=3, stride=2, rounds_up=True, passes=raw),
        case("average_pool2d", "kernel 2, stride 2", image, kernel=2, stride=2, passes=raw),
        case("average_pool2d", "batch 2", image, batch=2, kernel=2, stride=2, passes=raw),
        case("global_average_pool2d", "plain", image, passes=raw),
        case("batch_norm", "plain", image, passes=raw),
        case("batch_norm", "batch 2", image, batch=2, passes=raw),
        case("adaptive_average_pool2d", "to 4 x 4", image, size=4, passes=raw),
        case("layer_norm", "plain", (10, 16), has_bias=True, passes=raw),
        case("layer_norm2d", "plain", image, passes=raw),
        case("group_norm", "two groups", image, groups=2, passes=raw),
        case("relu", "plain", image, passes=raw),
        case("activation", "gelu", image, function="gelu", passes=raw),
        case("activation", "softmax", (10, 16), function="softmax", passes=raw),
        case("dropout", "plain", image, passes=raw),
        case("upsample2d", "factor 2", image, factor=2, passes=raw),
    ]  # fmt: skip


def _networks() -> list[Case]:
    shape, channels, classes = (3, 8, 8), 8, 10
    plain = {"kernel": 3, "padding": 1, "has_bias": False}
    nodes = [
        Layer("conv2d", {"out_channels": channels, **plain}),
        Layer("batch_norm"),
        Layer("relu"),
        Layer("max_pool2d", {"kernel": 2, "stride": 2}),
        Layer("depthwise_conv2d", plain),
        Layer("batch_norm"),
        Layer("relu"),
        Layer("global_average_pool2d"),
        Layer("linear", {"out_features": classes, "has_bias": False}),
    ]

    def walked(tally: Tally, shape: Sequence[int], *, channels: int, classes: int) -> None:
        loops.convolution.convolve(tally, loops.grid(shape), shape, channels, 3, padding=1)
        half = (channels, shape[1] // 2, shape[2] // 2)
        loops.convolution.convolve(
            tally, loops.grid(half, loops.LEARNED), half, channels, 3, padding=1, groups=channels
        )
        tally.dense([loops.LEARNED] * channels, classes)

    def network(batch: int) -> Case:
        return case(
            "network", f"convolutions, norms, pooling, classifier, batch {batch}", shape,
            batch=batch, module=variants.convolutional_network, run=walked, nodes=nodes, channels=channels, classes=classes,
        )  # fmt: skip

    return [network(1), network(2)]


CASES: tuple[Case, ...] = (
    *_linear(),
    *_convolutions(),
    *_recurrences(),
    *_attentions(),
    *_transformers(),
    *_grids(),
    *_without_products(),
    *_networks(),
)
