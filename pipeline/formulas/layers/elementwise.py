"""Normalisations and activations, whose elementwise operations are in no total."""

from math import prod

from pipeline.formulas.layers.count import LayerCount, LayerError, Shape, UnknownWordError, kind
from pipeline.formulas.layers.sizes import check_axes, check_positive


@kind
def batch_norm(shape: Shape) -> LayerCount:
    """Count scale and shift per channel: two parameters per channel, two operations per element with folded statistics.

    >>> batch_norm((64, 112, 112)).parameters
    128
    """
    return LayerCount(shape, 2 * int(shape[0]), elementwise_flop=2 * prod(shape))


@kind
def local_response_norm(shape: Shape, *, size: int) -> LayerCount:
    """Count AlexNet's normalisation over `size` neighbouring channels: a square and a sum per neighbour.

    >>> local_response_norm((96, 55, 55), size=5).elementwise_flop
    2904000
    """
    check_positive(size=size)
    return LayerCount(shape, elementwise_flop=2 * size * prod(shape))


@kind
def layer_norm(shape: Shape, *, has_scale: bool = True, has_bias: bool = True) -> LayerCount:
    """Count a normalisation over the last axis with a learned scale and shift; about 5 operations per element.

    >>> layer_norm((1024, 1536)).parameters
    3072
    """
    parameters = (int(has_scale) + int(has_bias)) * int(shape[-1])
    return LayerCount(shape, parameters, elementwise_flop=5 * prod(shape))


@kind
def layer_norm2d(shape: Shape) -> LayerCount:
    """Count a normalisation over channels per image position, with scale and shift; about 5 operations per element.

    Source: ConvNeXt, arXiv 2201.03545, section 2.6.

    >>> layer_norm2d((96, 56, 56)).parameters
    192
    """
    channels = int(check_axes(shape, 3, "channels x height x width")[0])
    return LayerCount(shape, 2 * channels, elementwise_flop=5 * prod(shape))


@kind
def group_norm(shape: Shape, *, groups: int) -> LayerCount:
    """Count a normalisation over groups of channels, with scale and shift per channel; about 5 operations per element.

    >>> group_norm((320, 64, 64), groups=32).parameters
    640
    """
    check_positive(groups=groups)
    if shape[0] % groups:
        raise LayerError(f"{shape[0]:g} input channels cannot be divided into {groups} groups")
    return LayerCount(shape, 2 * int(shape[0]), elementwise_flop=5 * prod(shape))


@kind
def relu(shape: Shape) -> LayerCount:
    """Count a rectifier: one comparison per element.

    >>> relu((64, 112, 112)).elementwise_flop
    802816
    """
    return LayerCount(shape, elementwise_flop=prod(shape))


@kind
def dropout(shape: Shape) -> LayerCount:
    """Return a count of zero, because dropout only zeroes elements (methods, section 1).

    >>> dropout((4096,)).forward_flop
    0
    """
    return LayerCount(shape)


ACTIVATIONS = "relu relu6 gelu silu tanh sigmoid softmax hard_swish hard_sigmoid leaky_relu elu swish".split()


@kind
def activation(shape: Shape, *, function: str) -> LayerCount:
    """Count an activation function: a few operations per element, which no total includes. `relu` is a separate kind.

    >>> activation((1024, 3072), function="gelu").forward_flop
    0
    """
    if function not in ACTIVATIONS:
        raise UnknownWordError(function, "an activation", ACTIVATIONS)
    return LayerCount(shape, elementwise_flop=4 * prod(shape))
