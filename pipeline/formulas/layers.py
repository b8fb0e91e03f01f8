"""Operations of one layer on one example: a function a kind, its name is the record's `kind`, its arguments the record's keys.

A shape leaves the batch out: (channels, height, width) for images, (positions, width) for sequences, (positions,) for
token ids. A multiply-add is 2 FLOP. Positions may be a mean length and so not whole. The table of methods.md, section 2,
is the source where a docstring names no other.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from pipeline.formulas.operations import MULTIPLY_ADD_FLOP

Shape = tuple[float, ...]


class LayerError(ValueError):
    """A layer that cannot be: what is wrong with its sizes, in words."""


class LayerCount(NamedTuple):
    """What one layer does for one example.

    `matrix_flop` are products of weights and activations, `input_flop` the part of them that multiplies the layer's own
    input; `score_flop` are products of two activations as the layer's definition needs them, `full_score_flop` the same
    without a mask. `elementwise_flop` stands in no total.
    """

    shape: Shape
    parameters: int = 0
    active_parameters: int = 0
    matrix_flop: float = 0
    input_flop: float = 0
    score_flop: float = 0
    full_score_flop: float = 0
    elementwise_flop: float = 0
    has_shared_weights: bool = False

    @property
    def is_trainable(self) -> bool:
        """Whether the layer has weights, its own or another layer's."""
        return self.parameters > 0 or self.has_shared_weights

    @property
    def forward_flop(self) -> float:
        """FLOP of the forward pass by the layer's definition."""
        return self.matrix_flop + self.score_flop

    def backward_flop(self, has_trainable_below: bool) -> float:
        """FLOP of the backward pass: the gradient of the weights, and that of the input where something below can learn.

        Products of two activations need the gradient of both factors. Source: the ratio post.
        """
        input_gradient = self.matrix_flop if has_trainable_below else self.matrix_flop - self.input_flop
        return self.matrix_flop + input_gradient + 2 * self.score_flop


KINDS: dict[str, Callable[..., LayerCount]] = {}
Kind = TypeVar("Kind", bound=Callable[..., LayerCount])


def kind(function: Kind) -> Kind:
    """Makes a function a layer kind that records may name."""
    if function.__name__ in KINDS:
        raise TypeError(f"two layer kinds are called {function.__name__}")
    KINDS[function.__name__] = function
    return function


def _size(shape: Shape) -> float:
    product: float = 1
    for axis in shape:
        product *= axis
    return product


def _axes(shape: Shape, number: int, wanted: str) -> Shape:
    if len(shape) != number:
        raise LayerError(f"needs an input of {wanted}, not of shape {_written(shape)}")
    return shape


def _written(shape: Shape) -> str:
    return "x".join(f"{axis:g}" for axis in shape)


def _positive(**sizes: Any) -> None:
    for name, size in sizes.items():
        if isinstance(size, bool) or not isinstance(size, int | float) or not 0 < size < 1e15:
            raise LayerError(f"{name} must be a number above 0, not {size!r}")


def _weights(inputs: int, outputs: int, has_bias: bool = False) -> int:
    return inputs * outputs + (outputs if has_bias else 0)


def _spatial(size: float, kernel: int, stride: int, padding: int, dilation: int = 1) -> int:
    if padding < 0:
        raise LayerError(f"padding must not be negative, not {padding!r}")
    reach = (kernel - 1) * dilation + 1
    if reach > size + 2 * padding:
        raise LayerError(f"the kernel reaches over {reach} of a padded input of {size + 2 * padding:g}")
    return int((size - reach + 2 * padding) // stride) + 1


@kind
def linear(shape: Shape, *, out_features: int, has_bias: bool = True) -> LayerCount:
    """A fully connected layer on the last axis: a multiply-add for each weight at each position.

    >>> linear((9216,), out_features=4096).forward_flop
    75497472
    """
    _positive(out_features=out_features)
    *positions, width = shape
    flop = MULTIPLY_ADD_FLOP * _size(tuple(positions)) * width * out_features
    parameters = _weights(int(width), out_features, has_bias)
    return LayerCount((*positions, out_features), parameters, parameters, flop, flop)


@kind
def conv2d(
    shape: Shape,
    *,
    out_channels: int,
    kernel: int,
    stride: int = 1,
    padding: int = 0,
    groups: int = 1,
    dilation: int = 1,
    has_bias: bool = True,
) -> LayerCount:
    """A convolution: each of H'W'D outputs is a product over K x K x C/g inputs.

    ResNet's first layer, 7x7 on 3x224x224 with stride 2: 2 * 112 * 112 * 49 * 3 * 64 = 236,027,904.

    >>> conv2d((3, 224, 224), out_channels=64, kernel=7, stride=2, padding=3, has_bias=False).forward_flop
    236027904
    """
    _positive(out_channels=out_channels, kernel=kernel, stride=stride, groups=groups, dilation=dilation)
    channels, height, width = _axes(shape, 3, "channels x height x width")
    for name, size in (("input channels", channels), ("out_channels", out_channels)):
        if size % groups:
            raise LayerError(f"{size:g} {name} cannot be divided into {groups} groups")
    out_height, out_width = (_spatial(size, kernel, stride, padding, dilation) for size in (height, width))
    per_output = kernel * kernel * int(channels) // groups
    flop = MULTIPLY_ADD_FLOP * out_height * out_width * out_channels * per_output
    parameters = _weights(per_output, out_channels, has_bias)
    return LayerCount((out_channels, out_height, out_width), parameters, parameters, flop, flop)


@kind
def max_pool2d(shape: Shape, *, kernel: int, stride: int, padding: int = 0) -> LayerCount:
    """The largest of each window: one comparison an element of it.

    >>> max_pool2d((64, 112, 112), kernel=3, stride=2, padding=1).shape
    (64, 56, 56)
    """
    _positive(kernel=kernel, stride=stride)
    channels, height, width = _axes(shape, 3, "channels x height x width")
    out = (channels, *(_spatial(size, kernel, stride, padding) for size in (height, width)))
    return LayerCount(out, elementwise_flop=_size(out) * kernel * kernel)


@kind
def global_average_pool2d(shape: Shape) -> LayerCount:
    """The mean of each channel: one addition an element.

    >>> global_average_pool2d((512, 7, 7)).shape
    (512,)
    """
    channels, _, _ = _axes(shape, 3, "channels x height x width")
    return LayerCount((channels,), elementwise_flop=_size(shape))


@kind
def batch_norm(shape: Shape) -> LayerCount:
    """Scale and shift by channel: two parameters a channel, two operations an element once the statistics are folded.

    >>> batch_norm((64, 112, 112)).parameters
    128
    """
    return LayerCount(shape, 2 * int(shape[0]), 2 * int(shape[0]), elementwise_flop=2 * _size(shape))


@kind
def local_response_norm(shape: Shape, *, size: int) -> LayerCount:
    """AlexNet's normalisation over `size` neighbouring channels: a square and a sum for each neighbour.

    >>> local_response_norm((96, 55, 55), size=5).elementwise_flop
    2904000
    """
    _positive(size=size)
    return LayerCount(shape, elementwise_flop=2 * size * _size(shape))


@kind
def layer_norm(shape: Shape, *, has_bias: bool = True) -> LayerCount:
    """Normalisation over the last axis with a learned scale and, with `has_bias`, a shift; about 5 operations an element.

    >>> layer_norm((1024, 1536)).parameters
    3072
    """
    parameters = (2 if has_bias else 1) * int(shape[-1])
    return LayerCount(shape, parameters, parameters, elementwise_flop=5 * _size(shape))


@kind
def relu(shape: Shape) -> LayerCount:
    """The positive part: one comparison an element.

    >>> relu((64, 112, 112)).elementwise_flop
    802816
    """
    return LayerCount(shape, elementwise_flop=_size(shape))


@kind
def dropout(shape: Shape) -> LayerCount:
    """Zeroes elements; the methods count it as changing nothing.

    >>> dropout((4096,)).forward_flop
    0
    """
    return LayerCount(shape)


@kind
def flatten(shape: Shape) -> LayerCount:
    """All axes as one.

    >>> flatten((256, 6, 6)).shape
    (9216,)
    """
    return LayerCount((_size(shape),))


@kind
def embedding(shape: Shape, *, vocabulary: int, width: int, is_shared: bool = False) -> LayerCount:
    """A look-up of one of `vocabulary` rows for each position: no operations, but parameters unless another embedding's.

    >>> embedding((2048,), vocabulary=50257, width=12288).parameters
    617558016
    """
    _positive(vocabulary=vocabulary, width=width)
    (positions,) = _axes(shape, 1, "positions")
    parameters = 0 if is_shared else vocabulary * width
    return LayerCount((positions, width), parameters, parameters, has_shared_weights=is_shared)


@kind
def position_embedding(shape: Shape, *, positions: int) -> LayerCount:
    """A learned vector for each position, added to the input.

    >>> position_embedding((1024, 1536), positions=1024).parameters
    1572864
    """
    _positive(positions=positions)
    length, width = _axes(shape, 2, "positions x width")
    if length > positions:
        raise LayerError(f"a sequence of {length:g} positions needs as many position vectors, not {positions}")
    parameters = positions * int(width)
    return LayerCount(shape, parameters, parameters, elementwise_flop=_size(shape))


@kind
def unembedding(shape: Shape, *, vocabulary: int, is_tied: bool = False, has_bias: bool = False) -> LayerCount:
    """Scores for each word of the vocabulary at each position; tied to an embedding it has no weights of its own.

    >>> unembedding((1, 1024), vocabulary=30000).forward_flop
    61440000
    """
    _positive(vocabulary=vocabulary)
    positions, width = _axes(shape, 2, "positions x width")
    flop = MULTIPLY_ADD_FLOP * positions * width * vocabulary
    parameters = (0 if is_tied else int(width) * vocabulary) + (vocabulary if has_bias else 0)
    return LayerCount((positions, vocabulary), parameters, parameters, flop, flop, has_shared_weights=is_tied)


@kind
def lstm(shape: Shape, *, width: int, bias_vectors: int = 1) -> LayerCount:
    """A long short-term memory layer: four gates, each a product with the input and with the last output, at each step.

    A layer of Seq2Seq, 1000 inputs and 1000 cells: 2 * 4 * (1000 + 1000) * 1000 a step.

    >>> lstm((1, 1000), width=1000).forward_flop
    16000000
    """
    _positive(width=width)
    steps, inputs = _axes(shape, 2, "steps x width")
    input_flop = MULTIPLY_ADD_FLOP * steps * 4 * inputs * width
    recurrent_flop = MULTIPLY_ADD_FLOP * steps * 4 * width * width
    parameters = 4 * ((int(inputs) + width) * width + bias_vectors * width)
    return LayerCount(
        (steps, width),
        parameters,
        parameters,
        input_flop + recurrent_flop,
        input_flop,
        elementwise_flop=9 * steps * width,
    )


@kind
def self_attention(
    shape: Shape,
    *,
    heads: int,
    head_width: int,
    key_value_heads: int | None = None,
    is_causal: bool = False,
    has_biases: bool = False,
) -> LayerCount:
    """Attention of a sequence to itself: projections to queries, keys and values, two products of L x L, a projection back.

    With a causal mask a position sees (L + 1) / 2 others on average. The big transformer with the article's inputs, one
    token of a sequence of 20: 2 * (4 * 1024 * 1024 + 20 * 2 * 1024) = 8,470,528.

    >>> self_attention((20, 1024), heads=16, head_width=64).forward_flop // 20
    8470528
    """
    _positive(heads=heads, head_width=head_width, key_value_heads=key_value_heads or heads)
    length, width = _axes(shape, 2, "positions x width")
    groups = key_value_heads or heads
    if heads % groups:
        raise LayerError(f"{heads} heads cannot share {groups} key_value_heads")
    inner, shared = heads * head_width, groups * head_width
    into = int(width) * (inner + 2 * shared)
    parameters = into + inner * int(width) + ((inner + 2 * shared + int(width)) if has_biases else 0)
    input_flop = MULTIPLY_ADD_FLOP * length * into
    out_flop = MULTIPLY_ADD_FLOP * length * inner * width
    full = MULTIPLY_ADD_FLOP * length * length * 2 * inner
    seen = MULTIPLY_ADD_FLOP * length * (length + 1) * inner if is_causal else full
    return LayerCount(
        shape, parameters, parameters, input_flop + out_flop, input_flop, seen, full, 5 * heads * length * length
    )


@kind
def cross_attention(
    shape: Shape, *, source_positions: float, source_width: int, heads: int, head_width: int, has_biases: bool = False
) -> LayerCount:
    """Attention of a target sequence to a source: keys and values run over source positions, queries and output over target ones.

    >>> cross_attention((20, 1024), source_positions=20, source_width=1024, heads=16, head_width=64).forward_flop // 20
    8470528
    """
    _positive(source_positions=source_positions, source_width=source_width, heads=heads, head_width=head_width)
    length, width = _axes(shape, 2, "positions x width")
    inner = heads * head_width
    parameters = 2 * int(width) * inner + 2 * source_width * inner + ((3 * inner + int(width)) if has_biases else 0)
    query_flop = MULTIPLY_ADD_FLOP * length * width * inner
    source_flop = MULTIPLY_ADD_FLOP * source_positions * source_width * 2 * inner
    score = MULTIPLY_ADD_FLOP * length * source_positions * 2 * inner
    matrix_flop = 2 * query_flop + source_flop
    return LayerCount(
        shape,
        parameters,
        parameters,
        matrix_flop,
        query_flop + source_flop,
        score,
        score,
        5 * heads * length * source_positions,
    )


@kind
def latent_attention(
    shape: Shape,
    *,
    heads: int,
    query_rank: int,
    key_value_rank: int,
    head_width: int,
    rotary_width: int,
    value_width: int,
) -> LayerCount:
    """Causal attention whose queries, keys and values pass through low ranks (DeepSeek-V2, arXiv 2405.04434, section 2.1).

    Queries: width -> query_rank -> heads x (head_width + rotary_width); keys and values: width -> key_value_rank, and
    beside it one shared rotary key, -> heads x (head_width + value_width). Each low rank has a normalisation.
    DeepSeek-V3's attention has 187,107,328 parameters a layer:

    >>> latent_attention((1, 7168), heads=128, query_rank=1536, key_value_rank=512, head_width=128, rotary_width=64, value_width=128).parameters
    187107328
    """
    _positive(
        heads=heads,
        query_rank=query_rank,
        key_value_rank=key_value_rank,
        head_width=head_width,
        rotary_width=rotary_width,
        value_width=value_width,
    )
    length, width = _axes(shape, 2, "positions x width")
    into = int(width) * (query_rank + key_value_rank + rotary_width)
    up = query_rank * heads * (head_width + rotary_width) + key_value_rank * heads * (head_width + value_width)
    parameters = into + up + heads * value_width * int(width) + query_rank + key_value_rank
    input_flop = MULTIPLY_ADD_FLOP * length * into
    matrix_flop = input_flop + MULTIPLY_ADD_FLOP * length * (up + heads * value_width * width)
    per_pair = MULTIPLY_ADD_FLOP * heads * (head_width + rotary_width + value_width)
    full = per_pair * length * length
    seen = per_pair * length * (length + 1) / 2
    return LayerCount(
        shape,
        parameters,
        parameters,
        matrix_flop,
        input_flop,
        int(seen) if seen == int(seen) else seen,
        full,
        5 * heads * length * length,
    )


@kind
def feed_forward(shape: Shape, *, width: int, is_gated: bool = False, has_biases: bool = False) -> LayerCount:
    """Two products, d -> width -> d, at each position; a gate adds a third, d -> width.

    >>> feed_forward((1, 1024), width=4096).forward_flop
    16777216
    """
    _positive(width=width)
    length, inner = _axes(shape, 2, "positions x width")
    into = (2 if is_gated else 1) * int(inner) * width
    parameters = into + width * int(inner) + (((2 if is_gated else 1) * width + int(inner)) if has_biases else 0)
    input_flop = MULTIPLY_ADD_FLOP * length * into
    matrix_flop = input_flop + MULTIPLY_ADD_FLOP * length * width * inner
    return LayerCount(shape, parameters, parameters, matrix_flop, input_flop, elementwise_flop=length * width)


@kind
def mixture_of_experts(
    shape: Shape,
    *,
    experts: int,
    experts_per_token: int,
    expert_width: int,
    shared_experts: int = 0,
    is_gated: bool = True,
) -> LayerCount:
    """A router picks `experts_per_token` of `experts` feed-forward networks for each position; shared ones see every position.

    DeepSeek-V3's: 256 routed, 8 used, 1 shared of width 2048 at 7168, gated: 9 * 6 * 7168 * 2048 + 2 * 7168 * 256 a token.

    >>> mixture_of_experts((1, 7168), experts=256, experts_per_token=8, expert_width=2048, shared_experts=1).forward_flop
    796393472
    """
    _positive(experts=experts, experts_per_token=experts_per_token, expert_width=expert_width)
    if experts_per_token > experts:
        raise LayerError(f"a token cannot use {experts_per_token} of {experts} experts")
    expert = feed_forward(shape, width=expert_width, is_gated=is_gated)
    router = linear(shape, out_features=experts, has_bias=False)
    used = experts_per_token + shared_experts
    return LayerCount(
        shape,
        (experts + shared_experts) * expert.parameters + router.parameters,
        used * expert.parameters + router.parameters,
        used * expert.matrix_flop + router.matrix_flop,
        used * expert.input_flop + router.input_flop,
        elementwise_flop=used * expert.elementwise_flop,
    )


@kind
def next_token_merge(shape: Shape) -> LayerCount:
    """The entry of a multi-token prediction module: the trunk's output beside the next token's embedding, both normalised, to one width.

    Source: DeepSeek-V3, arXiv 2412.19437, equation 21.

    >>> next_token_merge((1, 7168)).parameters
    102774784
    """
    length, width = _axes(shape, 2, "positions x width")
    parameters = 2 * int(width) * int(width) + 2 * int(width)
    flop = MULTIPLY_ADD_FLOP * length * 2 * width * width
    return LayerCount(shape, parameters, parameters, flop, flop)
