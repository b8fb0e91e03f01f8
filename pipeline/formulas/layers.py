"""Operations of one layer on one example: a function a kind, its name is the record's `kind`, its arguments the record's keys.

A shape leaves the batch out: (channels, height, width) for images, (positions, width) for sequences, (positions,) for
token ids. A multiply-add is 2 FLOP. Positions may be a mean length and so not whole. The table of methods.md, section 2,
is the source where a docstring names no other.
"""

from collections.abc import Callable, Sequence
from difflib import get_close_matches
from math import prod
from typing import Any, NamedTuple, TypeVar

from pipeline.formulas.operations import MULTIPLY_ADD_FLOP

Shape = tuple[float, ...]
Size = int | Sequence[int]  # one number for all axes, or one an axis


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

    def backward_flop(self, has_trainable_below: bool, is_frozen: bool = False) -> float:
        """FLOP of the backward pass: the gradient of the weights, and that of the input where something below can learn.

        Products of two activations need the gradients of both factors. Frozen weights need no gradient, and where nothing
        below can learn a frozen layer has no backward pass. Source: the ratio post.
        """
        if is_frozen:
            return self.matrix_flop + 2 * self.score_flop if has_trainable_below else 0
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


def _shared(count: LayerCount) -> LayerCount:
    # The weights are those of a layer that was counted before; the work is done again.
    return count._replace(parameters=0, active_parameters=0, has_shared_weights=True)


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


def _each(size: Size, axes: int, name: str) -> tuple[int, ...]:
    sizes = (size,) * axes if isinstance(size, int) else tuple(size)
    if len(sizes) != axes:
        raise LayerError(f"{name} has {len(sizes)} numbers for {axes} axes")
    return sizes


def _divisible(channels: float, out_channels: int, groups: int) -> None:
    for name, size in (("input channels", channels), ("out_channels", out_channels)):
        if size % groups:
            raise LayerError(f"{size:g} {name} cannot be divided into {groups} groups")


def _convolution(
    shape: Shape,
    out_channels: int,
    kernel: Size,
    stride: Size,
    padding: Size,
    groups: int,
    dilation: Size,
    has_bias: bool,
) -> LayerCount:
    channels, *sizes = shape
    axes = len(sizes)
    kernels, strides = _each(kernel, axes, "kernel"), _each(stride, axes, "stride")
    paddings, dilations = _each(padding, axes, "padding"), _each(dilation, axes, "dilation")
    _positive(out_channels=out_channels, groups=groups)
    for named in ({"kernel": each} for each in kernels):
        _positive(**named)
    for step, reach in zip(strides, dilations, strict=True):
        _positive(stride=step, dilation=reach)
    _divisible(channels, out_channels, groups)
    out = [_spatial(*each) for each in zip(sizes, kernels, strides, paddings, dilations, strict=True)]
    per_output = prod(kernels) * int(channels) // groups
    flop = MULTIPLY_ADD_FLOP * prod(out) * out_channels * per_output
    parameters = _weights(per_output, out_channels, has_bias)
    return LayerCount((out_channels, *out), parameters, parameters, flop, flop)


@kind
def conv1d(
    shape: Shape,
    *,
    out_channels: int,
    kernel: Size,
    stride: Size = 1,
    padding: Size = 0,
    groups: int = 1,
    dilation: Size = 1,
    has_bias: bool = True,
) -> LayerCount:
    """A convolution over one axis. Whisper's first layer on 3000 mel frames of 80: 2 * 3000 * 3 * 80 * 384.

    >>> conv1d((80, 3000), out_channels=384, kernel=3, padding=1).forward_flop
    552960000
    """
    _axes(shape, 2, "channels x positions")
    return _convolution(shape, out_channels, kernel, stride, padding, groups, dilation, has_bias)


@kind
def conv2d(
    shape: Shape,
    *,
    out_channels: int,
    kernel: Size,
    stride: Size = 1,
    padding: Size = 0,
    groups: int = 1,
    dilation: Size = 1,
    has_bias: bool = True,
) -> LayerCount:
    """A convolution: each of H'W'D outputs is a product over K x K x C/g inputs. A kernel may be a pair, [1, 7].

    ResNet's first layer, 7x7 on 3x224x224 with stride 2: 2 * 112 * 112 * 49 * 3 * 64 = 236,027,904.

    >>> conv2d((3, 224, 224), out_channels=64, kernel=7, stride=2, padding=3, has_bias=False).forward_flop
    236027904
    """
    _axes(shape, 3, "channels x height x width")
    return _convolution(shape, out_channels, kernel, stride, padding, groups, dilation, has_bias)


@kind
def conv3d(
    shape: Shape,
    *,
    out_channels: int,
    kernel: Size,
    stride: Size = 1,
    padding: Size = 0,
    groups: int = 1,
    dilation: Size = 1,
    has_bias: bool = True,
) -> LayerCount:
    """A convolution over three axes. C3D's first layer on 16 frames of 112 x 112: 2 * 16 * 112 * 112 * 27 * 3 * 64.

    >>> conv3d((3, 16, 112, 112), out_channels=64, kernel=3, padding=1).forward_flop
    2080899072
    """
    _axes(shape, 4, "channels x frames x height x width")
    return _convolution(shape, out_channels, kernel, stride, padding, groups, dilation, has_bias)


@kind
def depthwise_conv2d(
    shape: Shape,
    *,
    kernel: Size,
    stride: Size = 1,
    padding: Size = 0,
    dilation: Size = 1,
    multiplier: int = 1,
    has_bias: bool = True,
) -> LayerCount:
    """A convolution of each channel by itself: as many groups as channels.

    MobileNet's first, 3x3 on 32x112x112: 2 * 112 * 112 * 9 * 32.

    >>> depthwise_conv2d((32, 112, 112), kernel=3, padding=1, has_bias=False).forward_flop
    7225344
    """
    channels = int(_axes(shape, 3, "channels x height x width")[0])
    _positive(multiplier=multiplier)
    return _convolution(shape, channels * multiplier, kernel, stride, padding, channels, dilation, has_bias)


@kind
def conv_transpose2d(
    shape: Shape,
    *,
    out_channels: int,
    kernel: Size,
    stride: Size = 1,
    padding: Size = 0,
    output_padding: Size = 0,
    groups: int = 1,
    has_bias: bool = True,
) -> LayerCount:
    """A transposed convolution: each of HWC **inputs** is multiplied into K x K x D/g outputs.

    DCGAN's first, from 1024x4x4 by 5x5 with stride 2 to 512x8x8: 2 * 4 * 4 * 25 * 1024 * 512.

    >>> conv_transpose2d((1024, 4, 4), out_channels=512, kernel=5, stride=2, padding=2, output_padding=1).forward_flop
    419430400
    """
    channels, height, width = _axes(shape, 3, "channels x height x width")
    kernels, strides = _each(kernel, 2, "kernel"), _each(stride, 2, "stride")
    paddings, extra = _each(padding, 2, "padding"), _each(output_padding, 2, "output_padding")
    _positive(out_channels=out_channels, groups=groups)
    for size, step in zip(kernels, strides, strict=True):
        _positive(kernel=size, stride=step)
    _divisible(channels, out_channels, groups)
    out = [
        int((size - 1) * step - 2 * pad + reach + more)
        for size, step, pad, reach, more in zip((height, width), strides, paddings, kernels, extra, strict=True)
    ]
    if min(out) <= 0:
        raise LayerError(f"padding {padding!r} leaves nothing of the output")
    per_input = prod(kernels) * out_channels // groups
    flop = MULTIPLY_ADD_FLOP * height * width * channels * per_input
    parameters = _weights(int(channels), per_input) + (out_channels if has_bias else 0)
    return LayerCount((out_channels, *out), parameters, parameters, flop, flop)


@kind
def max_pool2d(shape: Shape, *, kernel: int, stride: int, padding: int = 0, rounds_up: bool = False) -> LayerCount:
    """The largest of each window: one comparison an element of it. Some frameworks round sizes up.

    >>> max_pool2d((64, 112, 112), kernel=3, stride=2, padding=1).shape
    (64, 56, 56)
    """
    return _pool(shape, kernel, stride, padding, rounds_up)


@kind
def average_pool2d(shape: Shape, *, kernel: int, stride: int, padding: int = 0, rounds_up: bool = False) -> LayerCount:
    """The mean of each window: one addition an element of it.

    >>> average_pool2d((128, 56, 56), kernel=2, stride=2).shape
    (128, 28, 28)
    """
    return _pool(shape, kernel, stride, padding, rounds_up)


def _pool(shape: Shape, kernel: int, stride: int, padding: int, rounds_up: bool) -> LayerCount:
    _positive(kernel=kernel, stride=stride)
    channels, *sizes = _axes(shape, 3, "channels x height x width")
    # A size that is rounded up is that of an input padded on its far side alone.
    out = [
        _spatial(size + (-(size - kernel + 2 * padding) % stride if rounds_up else 0), kernel, stride, padding)
        for size in sizes
    ]
    return LayerCount((channels, *out), elementwise_flop=channels * prod(out) * kernel * kernel)


@kind
def global_average_pool2d(shape: Shape) -> LayerCount:
    """The mean of each channel: one addition an element.

    >>> global_average_pool2d((512, 7, 7)).shape
    (512,)
    """
    channels, _, _ = _axes(shape, 3, "channels x height x width")
    return LayerCount((channels,), elementwise_flop=_size(shape))


@kind
def adaptive_average_pool2d(shape: Shape, *, size: int) -> LayerCount:
    """The means of windows that leave size x size of an image of any size: about one addition an element.

    >>> adaptive_average_pool2d((256, 13, 13), size=6).shape
    (256, 6, 6)
    """
    _positive(size=size)
    channels, _, _ = _axes(shape, 3, "channels x height x width")
    return LayerCount((channels, size, size), elementwise_flop=_size(shape))


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
def layer_norm(shape: Shape, *, has_scale: bool = True, has_bias: bool = True, is_shared: bool = False) -> LayerCount:
    """Normalisation over the last axis with a learned scale and, with `has_bias`, a shift; about 5 operations an element.

    >>> layer_norm((1024, 1536)).parameters
    3072
    """
    parameters = (int(has_scale) + int(has_bias)) * int(shape[-1])
    count = LayerCount(shape, parameters, parameters, elementwise_flop=5 * _size(shape))
    return _shared(count) if is_shared else count


@kind
def layer_norm2d(shape: Shape) -> LayerCount:
    """Normalisation over the channels at each place of an image, a scale and a shift a channel; about 5 operations an element.

    Source: ConvNeXt, arXiv 2201.03545, section 2.6.

    >>> layer_norm2d((96, 56, 56)).parameters
    192
    """
    channels = int(_axes(shape, 3, "channels x height x width")[0])
    return LayerCount(shape, 2 * channels, 2 * channels, elementwise_flop=5 * _size(shape))


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


def _recurrent(
    shape: Shape, gates: int, width: int, bias_vectors: int, is_bidirectional: bool, projection: int | None
) -> LayerCount:
    _positive(width=width)
    steps, inputs = _axes(shape, 2, "steps x width")
    state = projection or width
    directions = 2 if is_bidirectional else 1
    input_flop = MULTIPLY_ADD_FLOP * steps * gates * inputs * width
    state_flop = MULTIPLY_ADD_FLOP * steps * (gates * state * width + (width * projection if projection else 0))
    parameters = gates * ((int(inputs) + state) * width + bias_vectors * width) + (
        width * projection if projection else 0
    )
    return LayerCount(
        (steps, directions * state),
        directions * parameters,
        directions * parameters,
        directions * (input_flop + state_flop),
        directions * input_flop,
        elementwise_flop=directions * (2 * gates + 1) * steps * width,
    )


@kind
def rnn(shape: Shape, *, width: int, bias_vectors: int = 1, is_bidirectional: bool = False) -> LayerCount:
    """A plain recurrent layer: a product with the input and one with the last output, at each step.

    >>> rnn((1, 1000), width=1000).forward_flop
    4000000
    """
    return _recurrent(shape, 1, width, bias_vectors, is_bidirectional, None)


@kind
def gru(shape: Shape, *, width: int, bias_vectors: int = 1, is_bidirectional: bool = False) -> LayerCount:
    """A gated recurrent unit: three gates, each a product with the input and with the last output, at each step.

    >>> gru((1, 1000), width=1000).forward_flop
    12000000
    """
    return _recurrent(shape, 3, width, bias_vectors, is_bidirectional, None)


@kind
def lstm(
    shape: Shape, *, width: int, bias_vectors: int = 1, is_bidirectional: bool = False, projection: int | None = None
) -> LayerCount:
    """A long short-term memory layer: four gates, each a product with the input and with the last output, at each step.

    With a projection the output that comes back is narrower. A layer of Seq2Seq, 1000 inputs and 1000 cells:
    2 * 4 * (1000 + 1000) * 1000 a step. PyTorch keeps two bias vectors a gate.

    >>> lstm((1, 1000), width=1000).forward_flop
    16000000
    """
    return _recurrent(shape, 4, width, bias_vectors, is_bidirectional, projection)


def _pairs(length: float, is_causal: bool, window: int | None) -> float:
    """Pairs of positions that see each other; a window counts the positions that one sees, itself included."""
    if window is None or window >= length:
        return _half(length * (length + 1)) if is_causal else length * length
    return length * window - _half(window * (window - 1)) if is_causal else length * window


def _half(product: float) -> float:
    return product // 2 if isinstance(product, int) else product / 2


def _whole(number: float) -> float:
    return int(number) if number == int(number) else number


@kind
def self_attention(
    shape: Shape,
    *,
    heads: int,
    head_width: int,
    key_value_heads: int | None = None,
    value_width: int | None = None,
    is_causal: bool = False,
    window: int | None = None,
    has_biases: bool = False,
    has_input_biases: bool = False,
    has_key_bias: bool = True,
    norm_parameters: int = 0,
    is_shared: bool = False,
) -> LayerCount:
    """Attention of a sequence to itself: projections to queries, keys and values, two products over pairs, a projection back.

    With a causal mask a position sees (L + 1) / 2 others on average, in a window the window. Fewer `key_value_heads` than
    heads are grouped-query, one is multi-query attention. `has_input_biases` are those of queries, keys and values alone,
    without `has_key_bias` keys have none (Whisper); `norm_parameters` belong to a normalisation of queries and keys;
    `is_shared` says that the weights are those of a layer before (ALBERT). The big transformer with the article's inputs, one
    token of a sequence of 20: 2 * (4 * 1024 * 1024 + 20 * 2 * 1024) = 8,470,528.

    >>> self_attention((20, 1024), heads=16, head_width=64).forward_flop // 20
    8470528
    """
    _positive(heads=heads, head_width=head_width, key_value_heads=key_value_heads or heads, window=window or 1)
    length, width = _axes(shape, 2, "positions x width")
    groups, value = key_value_heads or heads, value_width or head_width
    if heads % groups:
        raise LayerError(f"{heads} heads cannot share {groups} key_value_heads")
    into_width = heads * head_width + groups * (head_width + value)
    into = int(width) * into_width
    into_biases = into_width - (0 if has_key_bias else groups * head_width)
    biases = (into_biases if has_biases or has_input_biases else 0) + (int(width) if has_biases else 0)
    parameters = into + heads * value * int(width) + biases + norm_parameters
    input_flop = MULTIPLY_ADD_FLOP * length * into
    out_flop = MULTIPLY_ADD_FLOP * length * heads * value * width
    per_pair = MULTIPLY_ADD_FLOP * heads * (head_width + value)
    pairs, full = _pairs(length, is_causal, window), length * length
    count = LayerCount(
        shape,
        parameters,
        parameters,
        input_flop + out_flop,
        input_flop,
        _whole(per_pair * pairs),
        per_pair * full,
        _whole(5 * heads * pairs),
    )
    return _shared(count) if is_shared else count


@kind
def window_attention(
    shape: Shape, *, heads: int, head_width: int, window: int, has_biases: bool = True, bias_entries: int = 0
) -> LayerCount:
    """Attention of an image's positions to those of their own window x window square (Swin, arXiv 2103.14030, equation 2).

    `bias_entries` is the number of relative positions with a learned bias a head. One position of Swin-T's first stage,
    width 96, 3 heads, 7 x 7 windows: 2 * (4 * 96 * 96 + 2 * 49 * 96) = 92,544.

    >>> window_attention((96, 56, 56), heads=3, head_width=32, window=7).forward_flop // 56**2
    92544
    """
    width, height, across = _axes(shape, 3, "channels x height x width")
    _positive(window=window)
    # Maps that the window does not divide are padded to a multiple of it.
    padded = -(-height // window) * -(-across // window) * window * window
    count = self_attention(
        (padded, width), heads=heads, head_width=head_width, window=window * window, has_biases=has_biases
    )
    parameters = count.parameters + bias_entries * heads
    return count._replace(
        shape=shape, parameters=parameters, active_parameters=parameters, full_score_flop=count.score_flop
    )


@kind
def cross_attention(
    shape: Shape,
    *,
    source_positions: float,
    source_width: int,
    heads: int,
    head_width: int,
    has_biases: bool = False,
    has_key_bias: bool = True,
) -> LayerCount:
    """Attention of a target sequence to a source: keys and values run over source positions, queries and output over target ones.

    >>> cross_attention((20, 1024), source_positions=20, source_width=1024, heads=16, head_width=64).forward_flop // 20
    8470528
    """
    _positive(source_positions=source_positions, source_width=source_width, heads=heads, head_width=head_width)
    length, width = _axes(shape, 2, "positions x width")
    inner = heads * head_width
    biases = (3 if has_key_bias else 2) * inner + int(width) if has_biases else 0
    parameters = 2 * int(width) * inner + 2 * source_width * inner + biases
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
    key_value_rank: int,
    head_width: int,
    rotary_width: int,
    value_width: int,
    query_rank: int | None = None,
    has_biases: bool = False,
) -> LayerCount:
    """Causal attention whose queries, keys and values pass through low ranks (DeepSeek-V2, arXiv 2405.04434, section 2.1).

    Queries: width -> query_rank -> heads x (head_width + rotary_width); keys and values: width -> key_value_rank, and
    beside it one shared rotary key, -> heads x (head_width + value_width). Each low rank has a normalisation. Without
    `query_rank` queries come straight from the width; `has_biases` are those of the first and last products.
    DeepSeek-V3's attention has 187,107,328 parameters a layer:

    >>> latent_attention((1, 7168), heads=128, query_rank=1536, key_value_rank=512, head_width=128, rotary_width=64, value_width=128).parameters
    187107328
    """
    _positive(
        heads=heads,
        query_rank=query_rank or 1,
        key_value_rank=key_value_rank,
        head_width=head_width,
        rotary_width=rotary_width,
        value_width=value_width,
    )
    length, width = _axes(shape, 2, "positions x width")
    queries = heads * (head_width + rotary_width)
    into_width = (query_rank or queries) + key_value_rank + rotary_width
    into = int(width) * into_width
    up = (query_rank or 0) * queries + key_value_rank * heads * (head_width + value_width)
    # Without a query rank the queries' product is a last one too, and has no bias.
    biases = into_width - (0 if query_rank else queries) + int(width) if has_biases else 0
    parameters = into + up + heads * value_width * int(width) + (query_rank or 0) + key_value_rank + biases
    input_flop = MULTIPLY_ADD_FLOP * length * into
    matrix_flop = input_flop + MULTIPLY_ADD_FLOP * length * (up + heads * value_width * width)
    per_pair = MULTIPLY_ADD_FLOP * heads * (head_width + rotary_width + value_width)
    full = per_pair * length * length
    seen = per_pair * _half(length * (length + 1))
    return LayerCount(
        shape,
        parameters,
        parameters,
        matrix_flop,
        input_flop,
        _whole(seen),
        full,
        5 * heads * length * length,
    )


@kind
def feed_forward(
    shape: Shape, *, width: int, is_gated: bool = False, has_biases: bool = False, is_shared: bool = False
) -> LayerCount:
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
    count = LayerCount(shape, parameters, parameters, matrix_flop, input_flop, elementwise_flop=length * width)
    return _shared(count) if is_shared else count


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
) -> LayerCount:
    """A router picks `experts_per_token` of `experts` feed-forward networks for each position; shared ones see every position.

    Shared experts are as wide as the others unless `shared_expert_width` says so; `has_shared_gate` weighs their output
    by a product with one vector (Qwen2-MoE).

    DeepSeek-V3's: 256 routed, 8 used, 1 shared of width 2048 at 7168, gated: 9 * 6 * 7168 * 2048 + 2 * 7168 * 256 a token.

    >>> mixture_of_experts((1, 7168), experts=256, experts_per_token=8, expert_width=2048, shared_experts=1).forward_flop
    796393472
    """
    _positive(experts=experts, experts_per_token=experts_per_token, expert_width=expert_width)
    if experts_per_token > experts:
        raise LayerError(f"a token cannot use {experts_per_token} of {experts} experts")
    expert = feed_forward(shape, width=expert_width, is_gated=is_gated)
    router = linear(shape, out_features=experts, has_bias=False)
    shared = feed_forward(shape, width=shared_expert_width or expert_width, is_gated=is_gated)
    gate = linear(shape, out_features=1, has_bias=False) if has_shared_gate else LayerCount(shape)
    # What every position passes, and how many times.
    common = ((shared_experts, shared), (1, router), (1, gate))
    always = sum(times * each.parameters for times, each in common)
    return LayerCount(
        shape,
        experts * expert.parameters + always,
        experts_per_token * expert.parameters + always,
        experts_per_token * expert.matrix_flop + sum(times * each.matrix_flop for times, each in common),
        experts_per_token * expert.input_flop + sum(times * each.input_flop for times, each in common),
        elementwise_flop=experts_per_token * expert.elementwise_flop + shared_experts * shared.elementwise_flop,
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


ACTIVATIONS = (
    "relu",
    "relu6",
    "gelu",
    "silu",
    "tanh",
    "sigmoid",
    "softmax",
    "hard_swish",
    "hard_sigmoid",
    "leaky_relu",
    "elu",
    "swish",
)


@kind
def activation(shape: Shape, *, function: str) -> LayerCount:
    """An activation function, a few operations an element that stand in no total; `relu` has its own kind.

    >>> activation((1024, 3072), function="gelu").forward_flop
    0
    """
    if function not in ACTIVATIONS:
        close = get_close_matches(str(function), ACTIVATIONS, n=1, cutoff=0.5)
        hint = f"did you mean {close[0]!r}?" if close else f"known are {', '.join(ACTIVATIONS)}"
        raise LayerError(f"{function!r} is not an activation; {hint}")
    return LayerCount(shape, elementwise_flop=4 * _size(shape))


@kind
def group_norm(shape: Shape, *, groups: int) -> LayerCount:
    """Normalisation over groups of channels, with a scale and a shift a channel; about 5 operations an element.

    >>> group_norm((320, 64, 64), groups=32).parameters
    640
    """
    _positive(groups=groups)
    if shape[0] % groups:
        raise LayerError(f"{shape[0]:g} input channels cannot be divided into {groups} groups")
    return LayerCount(shape, 2 * int(shape[0]), 2 * int(shape[0]), elementwise_flop=5 * _size(shape))


@kind
def learned_parameters(shape: Shape, *, number: int) -> LayerCount:
    """Numbers that are learned and added or multiplied on: class tokens, positions, layer scales, relative biases.

    >>> learned_parameters((768, 14, 14), number=768).parameters
    768
    """
    _positive(number=number)
    return LayerCount(shape, number, number, elementwise_flop=_size(shape))


@kind
def squeeze_excitation(shape: Shape, *, width: int, has_bias: bool = True) -> LayerCount:
    """Channel weights from the channels' means, through two layers (Hu et al., arXiv 1709.01507, section 3).

    The first of EfficientNet-B0 has 32 channels and 8 between: 2 * 2 * 32 * 8 FLOP, 2 * 32 * 8 + 8 + 32 parameters.

    >>> squeeze_excitation((32, 112, 112), width=8).parameters
    552
    """
    _positive(width=width)
    channels = int(_axes(shape, 3, "channels x height x width")[0])
    parameters = 2 * channels * width + ((channels + width) if has_bias else 0)
    flop = MULTIPLY_ADD_FLOP * 2 * channels * width
    # Only the first of the two layers lies on the input.
    return LayerCount(shape, parameters, parameters, flop, flop // 2, elementwise_flop=2 * _size(shape))


@kind
def state_space(
    shape: Shape,
    *,
    inner_width: int,
    state_width: int,
    rank: int,
    kernel: int,
    has_bias: bool = False,
    has_convolution_bias: bool = True,
) -> LayerCount:
    """A Mamba block (Gu & Dao, arXiv 2312.00752, section 3.4): projections, a short depthwise convolution and the scan.

    Into two streams of `inner_width`, from one of them to step sizes of `rank` and two states, back to the width. The scan,
    about 9 operations for each of inner_width x state_width, is elementwise. A token of
    Mamba-130M costs 2 * (768 * 3072 + 1536 * 80 + 48 * 1536 + 1536 * 768) + 2 * 4 * 1536.

    >>> state_space((1, 768), inner_width=1536, state_width=16, rank=48, kernel=4).forward_flop
    7483392
    """
    _positive(inner_width=inner_width, state_width=state_width, rank=rank, kernel=kernel)
    length, width = _axes(shape, 2, "positions x width")
    into = int(width) * 2 * inner_width
    selected = inner_width * (rank + 2 * state_width) + rank * inner_width
    out = inner_width * int(width)
    short = inner_width * kernel
    biases = (
        inner_width + (inner_width if has_convolution_bias else 0) + ((2 * inner_width + int(width)) if has_bias else 0)
    )
    parameters = into + selected + out + short + biases + inner_width * state_width + inner_width
    input_flop = MULTIPLY_ADD_FLOP * length * into
    flop = input_flop + MULTIPLY_ADD_FLOP * length * (selected + out + short)
    return LayerCount(
        shape, parameters, parameters, flop, input_flop, elementwise_flop=9 * length * inner_width * state_width
    )


@kind
def patches(shape: Shape, *, size: int, width: int, has_bias: bool = True) -> LayerCount:
    """An image cut into squares, each projected to `width`: a convolution whose stride is its kernel, then a sequence.

    ViT-B/16 at 224: 196 patches of 768, 2 * 196 * 768 * 768 FLOP.

    >>> patches((3, 224, 224), size=16, width=768).shape
    (196, 768)
    """
    count = conv2d(shape, out_channels=width, kernel=size, stride=size, has_bias=has_bias)
    return count._replace(shape=(count.shape[1] * count.shape[2], width))


@kind
def patch_merging(shape: Shape) -> LayerCount:
    """Each 2 x 2 patches as one: normalised, then a product from 4 to 2 times the channels; odd maps are padded.

    Source: Swin, arXiv 2103.14030, section 3.1. Swin-T's first: 8 * 96 + 2 * 4 * 96 * 96 parameters.

    >>> patch_merging((96, 56, 56)).parameters
    74496
    """
    channels, height, across = _axes(shape, 3, "channels x height x width")
    out = (2 * int(channels), -(-height // 2), -(-across // 2))
    parameters = 8 * int(channels) + _weights(4 * int(channels), 2 * int(channels))
    flop = MULTIPLY_ADD_FLOP * out[1] * out[2] * 8 * int(channels) ** 2
    return LayerCount(out, parameters, parameters, flop, flop, elementwise_flop=5 * _size(shape))


@kind
def class_token(shape: Shape) -> LayerCount:
    """A learned position put before the others.

    >>> class_token((196, 768)).shape
    (197, 768)
    """
    length, width = _axes(shape, 2, "positions x width")
    return LayerCount((length + 1, width), int(width), int(width))


@kind
def select_position(shape: Shape) -> LayerCount:
    """One position of a sequence, such as the class token's output.

    >>> select_position((197, 768)).shape
    (768,)
    """
    _, width = _axes(shape, 2, "positions x width")
    return LayerCount((width,))


@kind
def average_positions(shape: Shape) -> LayerCount:
    """The mean over positions: one addition an element.

    >>> average_positions((196, 768)).shape
    (768,)
    """
    _, width = _axes(shape, 2, "positions x width")
    return LayerCount((width,), elementwise_flop=_size(shape))


@kind
def transpose(shape: Shape) -> LayerCount:
    """Positions and channels exchanged, as the mixing of positions needs.

    >>> transpose((196, 768)).shape
    (768, 196)
    """
    length, width = _axes(shape, 2, "positions x width")
    return LayerCount((width, length))


@kind
def reshape(shape: Shape, *, to: Size) -> LayerCount:
    """The same elements in another shape.

    >>> reshape((16384,), to=[1024, 4, 4]).shape
    (1024, 4, 4)
    """
    sizes = (to,) if isinstance(to, int) else tuple(to)
    if prod(sizes) != _size(shape):
        raise LayerError(f"{_size(shape):g} elements cannot take the shape {_written(sizes)}")
    return LayerCount(sizes)


@kind
def upsample2d(shape: Shape, *, factor: int) -> LayerCount:
    """Each element repeated factor x factor times.

    >>> upsample2d((128, 16, 16), factor=2).shape
    (128, 32, 32)
    """
    _positive(factor=factor)
    channels, height, width = _axes(shape, 3, "channels x height x width")
    return LayerCount((channels, height * factor, width * factor))


@kind
def low_rank_adapter(shape: Shape, *, out_features: int, rank: int) -> LayerCount:
    """A product of two narrow matrices beside a frozen one (LoRA, Hu et al., arXiv 2106.09685, section 4.1).

    >>> low_rank_adapter((1, 4096), out_features=4096, rank=8).parameters
    65536
    """
    _positive(out_features=out_features, rank=rank)
    *positions, width = shape
    parameters = (int(width) + out_features) * rank
    input_flop = MULTIPLY_ADD_FLOP * _size(tuple(positions)) * width * rank
    flop = input_flop + MULTIPLY_ADD_FLOP * _size(tuple(positions)) * rank * out_features
    return LayerCount((*positions, out_features), parameters, parameters, flop, input_flop)


@kind
def source_attention(
    shape: Shape,
    *,
    source_positions: float,
    source_width: int,
    state_width: int,
    attention_width: int | None = None,
) -> LayerCount:
    """A recurrent decoder's attention to a source, whose weighted mean is joined to each position's input.

    Additive (Bahdanau et al., arXiv 1409.0473, appendix A.1.2) with `attention_width`: the state and each source
    position are projected to it, a vector scores each pair. Else the product of state and source (Luong et al., arXiv
    1508.04025). All that grows with pairs is score: 2 * 20 * 30 * (1000 + 2000) here, beside the projections'
    2 * (20 * 1000 + 30 * 2000) * 1000.

    >>> source = {"source_positions": 30, "source_width": 2000}
    >>> source_attention((20, 620), **source, state_width=1000, attention_width=1000).forward_flop
    163600000
    """
    _positive(source_positions=source_positions, source_width=source_width, state_width=state_width)
    length, width = _axes(shape, 2, "positions x width")
    if attention_width is None and state_width != source_width:
        raise LayerError(f"a state of {state_width} cannot be multiplied with a source of {source_width}")
    inner = attention_width or 0
    _positive(attention_width=inner or state_width)
    flop = MULTIPLY_ADD_FLOP * (length * state_width + source_positions * source_width) * inner
    score = MULTIPLY_ADD_FLOP * length * source_positions * ((inner or state_width) + source_width)
    parameters = (state_width + source_width + 1) * inner
    return LayerCount(
        (length, width + source_width), parameters, parameters, flop, flop, score, score, 5 * length * source_positions
    )


@kind
def join(shape: Shape, *, width: int) -> LayerCount:
    """Another path's output of this width joined to each position, such as what attention has gathered.

    >>> join((20, 1024), width=1024).shape
    (20, 2048)
    """
    _positive(width=width)
    length, inner = _axes(shape, 2, "positions x width")
    return LayerCount((length, inner + width))


@kind
def columns(shape: Shape) -> LayerCount:
    """A map's columns as positions, each with all its rows' channels: from a spectrogram's convolutions to recurrence.

    >>> columns((32, 41, 101)).shape
    (101, 1312)
    """
    channels, height, width = _axes(shape, 3, "channels x height x width")
    return LayerCount((width, channels * height))


@kind
def crop2d(shape: Shape, *, size: int) -> LayerCount:
    """The middle of a map.

    >>> crop2d((512, 64, 64), size=56).shape
    (512, 56, 56)
    """
    _positive(size=size)
    channels, height, width = _axes(shape, 3, "channels x height x width")
    if size > min(height, width):
        raise LayerError(f"nothing of size {size} can be cut from {_written((height, width))}")
    return LayerCount((channels, size, size))


@kind
def attention_pool2d(shape: Shape, *, heads: int, out_features: int) -> LayerCount:
    """CLIP's pooling (Radford et al., arXiv 2103.00020, section 2.4): a map's mean attends to itself and every element.

    Positions are learned, keys and values run over all of them, the query and the output over the mean alone. RN50's,
    from 2048x7x7 to 1024: 50 * 2048 + 3 * 2048 * 2049 + 1024 * 2049 parameters.

    >>> attention_pool2d((2048, 7, 7), heads=32, out_features=1024).parameters
    14789632
    """
    _positive(heads=heads, out_features=out_features)
    channels, height, across = _axes(shape, 3, "channels x height x width")
    width, positions = int(channels), height * across + 1
    parameters = int(positions) * width + 3 * _weights(width, width, True) + _weights(width, out_features, True)
    input_flop = MULTIPLY_ADD_FLOP * width * width * (2 * positions + 1)
    score = MULTIPLY_ADD_FLOP * positions * 2 * width
    flop = input_flop + MULTIPLY_ADD_FLOP * width * out_features
    return LayerCount((out_features,), parameters, parameters, flop, input_flop, score, score, 5 * heads * positions)


@kind
def axial_attention(shape: Shape, *, heads: int, head_width: int, is_over_columns: bool = False) -> LayerCount:
    """Gated attention within each row of a grid, or each column (AlphaFold 2, supplement, algorithms 7, 8, 13 and 14).

    Queries, keys, values and the gate are projected, the gated mean is projected back; the gate and the output have
    biases. Pair biases are a layer of their own. Parameters for AlphaFold's alignment: 5 * 256 * 256 + 2 * 256.

    >>> axial_attention((128, 256, 256), heads=8, head_width=32).parameters
    328192
    """
    _positive(heads=heads, head_width=head_width)
    rows, across, width = _axes(shape, 3, "rows x columns x width")
    inner, seen = heads * head_width, (rows if is_over_columns else across)
    parameters = 5 * int(width) * inner + inner + int(width)
    input_flop = MULTIPLY_ADD_FLOP * rows * across * width * 4 * inner
    score = MULTIPLY_ADD_FLOP * rows * across * seen * 2 * inner
    return LayerCount(
        shape,
        parameters,
        parameters,
        input_flop + MULTIPLY_ADD_FLOP * rows * across * inner * width,
        input_flop,
        score,
        score,
        5 * heads * rows * across * seen,
    )


@kind
def triangle_multiplication(shape: Shape, *, width: int) -> LayerCount:
    """An edge of a grid from the two others of each triangle (AlphaFold 2, supplement, algorithms 11 and 12).

    Two gated projections to `width`, their products over every third corner, a gated projection back; the products are
    of activations. AlphaFold's, without the normalisation before it: 6 * (128 * 128 + 128) + 2 * 128 parameters.

    >>> triangle_multiplication((256, 256, 128), width=128).parameters
    99328
    """
    _positive(width=width)
    rows, across, channels = _axes(shape, 3, "rows x columns x width")
    if rows != across:
        raise LayerError(f"needs a square grid, not one of {_written((rows, across))}")
    pairs, inner = rows * across, int(channels)
    out = _weights(width, inner, True) + _weights(inner, inner, True)
    parameters = 4 * _weights(inner, width, True) + 2 * width + out
    input_flop = MULTIPLY_ADD_FLOP * pairs * inner * (4 * width + inner)
    score = MULTIPLY_ADD_FLOP * pairs * rows * width
    flop = input_flop + MULTIPLY_ADD_FLOP * pairs * width * inner
    return LayerCount(shape, parameters, parameters, flop, input_flop, score, score, 10 * pairs * width)


@kind
def outer_product_mean(shape: Shape, *, width: int, out_features: int) -> LayerCount:
    """From an alignment to pairs of columns: the mean over rows of outer products (AlphaFold 2, supplement, 1.6.4).

    Two projections to `width`, width x width products for each pair and row, of activations, and a projection to
    `out_features`. AlphaFold's, without the normalisation before it: 2 * (256 * 32 + 32) + 32 * 32 * 128 + 128
    parameters.

    >>> outer_product_mean((128, 256, 256), width=32, out_features=128).parameters
    147648
    """
    _positive(width=width, out_features=out_features)
    rows, across, channels = _axes(shape, 3, "rows x columns x width")
    parameters = 2 * _weights(int(channels), width, True) + _weights(width * width, out_features, True)
    input_flop = MULTIPLY_ADD_FLOP * rows * across * channels * 2 * width
    score = MULTIPLY_ADD_FLOP * rows * across * across * width * width
    flop = input_flop + MULTIPLY_ADD_FLOP * across * across * width * width * out_features
    return LayerCount((across, across, out_features), parameters, parameters, flop, input_flop, score, score)
