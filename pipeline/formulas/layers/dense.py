"""Layers that multiply each position by weights: linear, feed-forward, experts, embeddings."""

from math import prod

from pipeline.formulas.layers.count import MULTIPLY_ADD_FLOP, LayerCount, LayerError, Shape, kind
from pipeline.formulas.layers.sizes import check_axes, check_positive, share_weights, weights


@kind
def linear(shape: Shape, *, out_features: int, has_bias: bool = True) -> LayerCount:
    """Count a fully connected layer on the last axis: one multiply-add per weight and position.

    >>> linear((9216,), out_features=4096).forward_flop
    75497472
    """
    check_positive(out_features=out_features)
    *positions, width = shape
    flop = MULTIPLY_ADD_FLOP * prod(positions) * width * out_features
    parameters = weights(int(width), out_features, has_bias)
    return LayerCount((*positions, out_features), parameters, matrix_flop=flop, input_flop=flop)


@kind
def feed_forward(
    shape: Shape, *, width: int, is_gated: bool = False, has_biases: bool = False, is_shared: bool = False
) -> LayerCount:
    """Count two products at each position, d -> width -> d; a gate adds a third, d -> width.

    >>> feed_forward((1, 1024), width=4096).forward_flop
    16777216
    """
    check_positive(width=width)
    length, inner = check_axes(shape, 2, "positions x width")
    into = (2 if is_gated else 1) * int(inner) * width
    parameters = into + width * int(inner) + (((2 if is_gated else 1) * width + int(inner)) if has_biases else 0)
    input_flop = MULTIPLY_ADD_FLOP * length * into
    matrix_flop = input_flop + MULTIPLY_ADD_FLOP * length * width * inner
    count = LayerCount(
        shape, parameters, matrix_flop=matrix_flop, input_flop=input_flop, elementwise_flop=length * width
    )
    return share_weights(count) if is_shared else count


@kind
def mixture_of_experts(
    shape: Shape,
    *,
    experts: int,
    experts_per_token: int,
    expert_width: int,
    shared_experts: int = 0,
    shared_expert_width: int | None = None,
    has_shared_gate: bool = False,
    is_gated: bool = True,
    has_biases: bool = False,
    latent_width: int | None = None,
) -> LayerCount:
    """Count `experts_per_token` of `experts` feed-forward networks per position, their router, and shared experts.

    Shared experts process every position. Their width is `expert_width` unless `shared_expert_width` is given;
    `has_shared_gate` weights their output by a product with one vector (Qwen2-MoE).

    DeepSeek-V3's layer (width 7168; 8 of 256 routed experts and 1 shared expert, gated, of width 2048) takes 9 * 6 *
    7168 * 2048 + 2 * 7168 * 256 per token.

    >>> experts = {"experts": 256, "experts_per_token": 8, "shared_experts": 1}
    >>> mixture_of_experts((1, 7168), **experts, expert_width=2048).forward_flop
    796393472
    """
    check_positive(experts=experts, experts_per_token=experts_per_token, expert_width=expert_width)
    if experts_per_token > experts:
        raise LayerError(f"a token cannot use {experts_per_token} of {experts} experts")
    inner = shape if latent_width is None else (*shape[:-1], latent_width)
    expert = feed_forward(inner, width=expert_width, is_gated=is_gated, has_biases=has_biases)
    router = linear(shape, out_features=experts, has_bias=has_biases)
    down = LayerCount(shape) if latent_width is None else linear(shape, out_features=latent_width, has_bias=False)
    up = LayerCount(shape) if latent_width is None else linear(inner, out_features=int(shape[-1]), has_bias=False)
    shared = feed_forward(shape, width=shared_expert_width or expert_width, is_gated=is_gated)
    gate = linear(shape, out_features=1, has_bias=False) if has_shared_gate else LayerCount(shape)
    # Networks that process every position, each with its number of copies.
    common = ((shared_experts, shared), (1, router), (1, gate), (1, down), (1, up))
    return LayerCount(
        shape,
        experts * expert.parameters + sum(times * layer.parameters for times, layer in common),
        idle_parameters=(experts - experts_per_token) * expert.parameters,
        matrix_flop=experts_per_token * expert.matrix_flop + sum(times * layer.matrix_flop for times, layer in common),
        input_flop=experts_per_token * expert.input_flop + sum(times * layer.input_flop for times, layer in common),
        elementwise_flop=experts_per_token * expert.elementwise_flop + shared_experts * shared.elementwise_flop,
    )


@kind
def low_rank_adapter(shape: Shape, *, out_features: int, rank: int) -> LayerCount:
    """Count two narrow matrices next to a frozen one (LoRA, Hu et al., arXiv 2106.09685, section 4.1).

    >>> low_rank_adapter((1, 4096), out_features=4096, rank=8).parameters
    65536
    """
    check_positive(out_features=out_features, rank=rank)
    *positions, width = shape
    parameters = (int(width) + out_features) * rank
    input_flop = MULTIPLY_ADD_FLOP * prod(positions) * width * rank
    flop = input_flop + MULTIPLY_ADD_FLOP * prod(positions) * rank * out_features
    return LayerCount((*positions, out_features), parameters, matrix_flop=flop, input_flop=input_flop)


@kind
def embedding(shape: Shape, *, vocabulary: int, width: int, is_shared: bool = False) -> LayerCount:
    """Count the look-up of one row of a table per position: no operations, and no parameters if the table is shared.

    >>> embedding((2048,), vocabulary=50257, width=12288).parameters
    617558016
    """
    check_positive(vocabulary=vocabulary, width=width)
    (positions,) = check_axes(shape, 1, "positions")
    parameters = 0 if is_shared else vocabulary * width
    return LayerCount((positions, width), parameters, has_shared_weights=is_shared)


@kind
def position_embedding(shape: Shape, *, positions: int) -> LayerCount:
    """Count a learned vector per position, added to the input.

    >>> position_embedding((1024, 1536), positions=1024).parameters
    1572864
    """
    check_positive(positions=positions)
    length, width = check_axes(shape, 2, "positions x width")
    if length > positions:
        raise LayerError(f"a sequence of {length:g} positions needs as many position vectors, not {positions}")
    parameters = positions * int(width)
    return LayerCount(shape, parameters, elementwise_flop=prod(shape))


@kind
def unembedding(shape: Shape, *, vocabulary: int, is_tied: bool = False, has_bias: bool = False) -> LayerCount:
    """Count a score for each position and vocabulary word; a head tied to an embedding has no weights of its own.

    >>> unembedding((1, 1024), vocabulary=30000).forward_flop
    61440000
    """
    check_positive(vocabulary=vocabulary)
    positions, width = check_axes(shape, 2, "positions x width")
    flop = MULTIPLY_ADD_FLOP * positions * width * vocabulary
    parameters = (0 if is_tied else int(width) * vocabulary) + (vocabulary if has_bias else 0)
    return LayerCount(
        (positions, vocabulary), parameters, matrix_flop=flop, input_flop=flop, has_shared_weights=is_tied
    )


@kind
def next_token_merge(shape: Shape) -> LayerCount:
    """Count the input to a multi-token prediction module: norms and projection of the trunk's output and an embedding.

    The embedding is that of the next token. Source: DeepSeek-V3, arXiv 2412.19437, equation 21.

    >>> next_token_merge((1, 7168)).parameters
    102774784
    """
    length, width = check_axes(shape, 2, "positions x width")
    parameters = 2 * int(width) * int(width) + 2 * int(width)
    flop = MULTIPLY_ADD_FLOP * length * 2 * width * width
    return LayerCount(shape, parameters, matrix_flop=flop, input_flop=flop)


@kind
def learned_parameters(shape: Shape, *, number: int) -> LayerCount:
    """Count learned numbers that are added to the input or multiply it: class tokens, positions, layer scales, biases.

    >>> learned_parameters((768, 14, 14), number=768).parameters
    768
    """
    check_positive(number=number)
    return LayerCount(shape, number, elementwise_flop=prod(shape))


@kind
def squeeze_excitation(shape: Shape, *, width: int, has_bias: bool = True) -> LayerCount:
    """Count channel weights computed from the channels' means by two layers (Hu et al., arXiv 1709.01507, section 3).

    EfficientNet-B0's first such layer (32 channels, width 8) has 2 * 2 * 32 * 8 FLOP and 2 * 32 * 8 + 40 parameters.

    >>> squeeze_excitation((32, 112, 112), width=8).parameters
    552
    """
    check_positive(width=width)
    channels = int(check_axes(shape, 3, "channels x height x width")[0])
    parameters = 2 * channels * width + ((channels + width) if has_bias else 0)
    flop = MULTIPLY_ADD_FLOP * 2 * channels * width
    # Input FLOP are half of the total, because only the first of the two products multiplies the input.
    return LayerCount(shape, parameters, matrix_flop=flop, input_flop=flop // 2, elementwise_flop=2 * prod(shape))
