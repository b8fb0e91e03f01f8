"""Convolution and pooling layers."""

from math import prod

from pipeline.formulas.layers.count import MULTIPLY_ADD_FLOP, LayerCount, LayerError, Shape, Size, kind
from pipeline.formulas.layers.sizes import check_axes, check_groups, check_positive, each_axis, output_size, weights


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
    kernels, strides = each_axis(kernel, axes, "kernel"), each_axis(stride, axes, "stride")
    paddings, dilations = each_axis(padding, axes, "padding"), each_axis(dilation, axes, "dilation")
    check_positive(out_channels=out_channels, groups=groups)
    for size, step, gap in zip(kernels, strides, dilations, strict=True):
        check_positive(kernel=size, stride=step, dilation=gap)
    check_groups(channels, out_channels, groups)
    out = [output_size(*axis) for axis in zip(sizes, kernels, strides, paddings, dilations, strict=True)]
    per_output = prod(kernels) * int(channels) // groups
    flop = MULTIPLY_ADD_FLOP * prod(out) * out_channels * per_output
    parameters = weights(per_output, out_channels, has_bias)
    return LayerCount((out_channels, *out), parameters, matrix_flop=flop, input_flop=flop)


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
    """Count a convolution over one axis. On 3000 mel frames of 80 bands, Whisper's first takes 2 * 3000 * 3 * 80 * 384.

    >>> conv1d((80, 3000), out_channels=384, kernel=3, padding=1).forward_flop
    552960000
    """
    check_axes(shape, 2, "channels x positions")
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
    """Count a convolution: each of H'W'D outputs is a sum over K x K x C/g inputs. A kernel may be a pair: [1, 7].

    ResNet's first layer, 7x7 on 3x224x224 with stride 2, takes 2 * 112 * 112 * 49 * 3 * 64 = 236,027,904.

    >>> conv2d((3, 224, 224), out_channels=64, kernel=7, stride=2, padding=3, has_bias=False).forward_flop
    236027904
    """
    check_axes(shape, 3, "channels x height x width")
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
    """Count a convolution over three axes. C3D's first layer takes 2 * 16 * 112 * 112 * 27 * 3 * 64 on 16 frames.

    >>> conv3d((3, 16, 112, 112), out_channels=64, kernel=3, padding=1).forward_flop
    2080899072
    """
    check_axes(shape, 4, "channels x frames x height x width")
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
    """Count a separate convolution for each channel, with `multiplier` outputs per channel.

    MobileNet's first such layer, 3x3 on 32x112x112, takes 2 * 112 * 112 * 9 * 32.

    >>> depthwise_conv2d((32, 112, 112), kernel=3, padding=1, has_bias=False).forward_flop
    7225344
    """
    channels = int(check_axes(shape, 3, "channels x height x width")[0])
    check_positive(multiplier=multiplier)
    return _convolution(shape, channels * multiplier, kernel, stride, padding, channels, dilation, has_bias)


@kind
def short_convolution(shape: Shape, *, kernel: int, has_bias: bool = False) -> LayerCount:
    """Count a separate convolution of each channel along a sequence, over the last `kernel` positions (LFM2).

    >>> short_convolution((128, 2048), kernel=3).forward_flop
    1572864
    """
    check_positive(kernel=kernel)
    length, width = check_axes(shape, 2, "positions x width")
    parameters = int(width) * (kernel + has_bias)
    flop = MULTIPLY_ADD_FLOP * length * width * kernel
    return LayerCount(shape, parameters, matrix_flop=flop, input_flop=flop)


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
    """Count a transposed convolution: each of the HWC **inputs** is multiplied into K x K x D/g outputs.

    DCGAN's first such layer, 5x5 with stride 2 from 1024x4x4 to 512x8x8, takes 2 * 4 * 4 * 25 * 1024 * 512.

    >>> conv_transpose2d((1024, 4, 4), out_channels=512, kernel=5, stride=2, padding=2, output_padding=1).forward_flop
    419430400
    """
    channels, height, width = check_axes(shape, 3, "channels x height x width")
    kernels, strides = each_axis(kernel, 2, "kernel"), each_axis(stride, 2, "stride")
    paddings, extra = each_axis(padding, 2, "padding"), each_axis(output_padding, 2, "output_padding")
    check_positive(out_channels=out_channels, groups=groups)
    for size, step in zip(kernels, strides, strict=True):
        check_positive(kernel=size, stride=step)
    check_groups(channels, out_channels, groups)
    out = [
        int((size - 1) * step - 2 * pad + reach + more)
        for size, step, pad, reach, more in zip((height, width), strides, paddings, kernels, extra, strict=True)
    ]
    if min(out) <= 0:
        raise LayerError(f"padding {padding!r} leaves nothing of the output")
    per_input = prod(kernels) * out_channels // groups
    flop = MULTIPLY_ADD_FLOP * height * width * channels * per_input
    parameters = weights(int(channels), per_input) + (out_channels if has_bias else 0)
    return LayerCount((out_channels, *out), parameters, matrix_flop=flop, input_flop=flop)


@kind
def max_pool2d(shape: Shape, *, kernel: int, stride: int, padding: int = 0, rounds_up: bool = False) -> LayerCount:
    """Count the maximum of each window: one comparison per element of the window.

    `rounds_up` is for frameworks that round output sizes up.

    >>> max_pool2d((64, 112, 112), kernel=3, stride=2, padding=1).shape
    (64, 56, 56)
    """
    return _pool(shape, kernel, stride, padding, rounds_up)


@kind
def average_pool2d(shape: Shape, *, kernel: int, stride: int, padding: int = 0, rounds_up: bool = False) -> LayerCount:
    """Count the mean of each window: one addition per element of the window.

    >>> average_pool2d((128, 56, 56), kernel=2, stride=2).shape
    (128, 28, 28)
    """
    return _pool(shape, kernel, stride, padding, rounds_up)


def _pool(shape: Shape, kernel: int, stride: int, padding: int, rounds_up: bool) -> LayerCount:
    check_positive(kernel=kernel, stride=stride)
    channels, *sizes = check_axes(shape, 3, "channels x height x width")
    # Rounding the output size up is the same as padding only the far side of the input.
    out = [
        output_size(size + (-(size - kernel + 2 * padding) % stride if rounds_up else 0), kernel, stride, padding)
        for size in sizes
    ]
    return LayerCount((channels, *out), elementwise_flop=channels * prod(out) * kernel * kernel)


@kind
def global_average_pool2d(shape: Shape) -> LayerCount:
    """Count the mean of each channel: one addition per element.

    >>> global_average_pool2d((512, 7, 7)).shape
    (512,)
    """
    channels, _, _ = check_axes(shape, 3, "channels x height x width")
    return LayerCount((channels,), elementwise_flop=prod(shape))


@kind
def adaptive_average_pool2d(shape: Shape, *, size: int) -> LayerCount:
    """Count the means of windows chosen so that the output is size x size: about one addition per element.

    >>> adaptive_average_pool2d((256, 13, 13), size=6).shape
    (256, 6, 6)
    """
    check_positive(size=size)
    channels, _, _ = check_axes(shape, 3, "channels x height x width")
    return LayerCount((channels, size, size), elementwise_flop=prod(shape))


@kind
def patches(shape: Shape, *, size: int, width: int, has_bias: bool = True) -> LayerCount:
    """Count the projection of an image's square patches to `width`: a convolution whose stride is its kernel.

    ViT-B/16 at 224 makes 196 patches of 768 with 2 * 196 * 768 * 768 FLOP.

    >>> patches((3, 224, 224), size=16, width=768).shape
    (196, 768)
    """
    count = conv2d(shape, out_channels=width, kernel=size, stride=size, has_bias=has_bias)
    return count._replace(shape=(count.shape[1] * count.shape[2], width))


@kind
def patch_merging(shape: Shape) -> LayerCount:
    """Count the merging of 2 x 2 patches: a norm, then a projection from 4 times the channels to twice the channels.

    Odd maps are padded. Source: Swin, 2103.14030, section 3.1; Swin-T's first has 8 * 96 + 2 * 4 * 96 * 96 parameters.

    >>> patch_merging((96, 56, 56)).parameters
    74496
    """
    channels, height, across = check_axes(shape, 3, "channels x height x width")
    out = (2 * int(channels), -(-height // 2), -(-across // 2))
    parameters = 8 * int(channels) + weights(4 * int(channels), 2 * int(channels))
    flop = MULTIPLY_ADD_FLOP * out[1] * out[2] * 8 * int(channels) ** 2
    return LayerCount(out, parameters, matrix_flop=flop, input_flop=flop, elementwise_flop=5 * prod(shape))


@kind
def convolutional_network(
    shape: Shape,
    *,
    classes: int,
    parameters: int,
    forward_flop: int,
    backward_flop: int,
    elementwise_flop: int,
    is_depthwise: bool = False,
) -> LayerCount:
    """Take the sums of a whole network that was counted elsewhere. Its first layer has no gradient of the input.

    >>> sums = {"parameters": 5, "forward_flop": 300, "backward_flop": 500, "elementwise_flop": 7}
    >>> convolutional_network((3, 8, 8), classes=2, **sums).backward_flop(has_trainable_below=False)
    500
    """
    input_flop = 2 * forward_flop - backward_flop
    check_positive(classes=classes, forward_flop=forward_flop, input_flop=input_flop)
    return LayerCount(
        (classes,), parameters, matrix_flop=forward_flop, input_flop=input_flop, elementwise_flop=elementwise_flop
    )
