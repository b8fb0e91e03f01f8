"""Convolutions and pooling."""

from itertools import product

from tests.formulas.loops.tally import INPUT, LEARNED, LOOPS, grid, loop, mixed


def _each(size, axes):
    return [size] * axes if isinstance(size, int) else list(size)


def _windows(size, kernel, stride, padding, dilation):
    """Return the positions, including outside ones, that each output along one axis reads."""
    reach = [tap * dilation for tap in range(kernel)]
    starts = range(-padding, size + padding, stride)
    return [[start + tap for tap in reach] for start in starts if start + reach[-1] <= size + padding - 1]


def convolve(tally, image, shape, out_channels, kernel, stride=1, padding=0, groups=1, dilation=1):
    """Return outputs, each a product of a window of its group's input channels; the padding is multiplied too."""
    channels, *sizes = shape
    settings = [_each(size, len(sizes)) for size in (kernel, stride, padding, dilation)]
    axes = [_windows(*axis) for axis in zip(sizes, *settings, strict=True)]
    outside = mixed(image.values())
    out = {}
    for made in range(out_channels):
        group = range(channels)[made * groups // out_channels * channels // groups :][: channels // groups]
        for place in product(*(range(len(axis)) for axis in axes)):
            taps = list(product(*(axis[index] for axis, index in zip(axes, place, strict=True))))
            window = [image.get((channel, *tap), outside) for channel in group for tap in taps]
            out[(made, *place)] = tally.dot([LEARNED] * len(window), window)
    return out


def _convolution(tally, shape, **arguments):
    return convolve(tally, grid(shape), shape, **arguments)


LOOPS.update(dict.fromkeys(("conv1d", "conv2d", "conv3d"), _convolution))


@loop
def depthwise_conv2d(tally, shape, *, kernel, multiplier=1, **arguments):
    """Return a grouped convolution with as many groups as channels."""
    out_channels = shape[0] * multiplier
    return convolve(tally, grid(shape), shape, out_channels, kernel, groups=shape[0], **arguments)


@loop
def conv_transpose2d(tally, shape, *, out_channels, kernel, stride=1, padding=0, output_padding=0, groups=1):
    """Return outputs to which each input adds under its kernel; values on the padding are computed and cut off."""
    channels, height, width = shape
    out = {}
    for channel, row, column in product(range(channels), range(height), range(width)):
        for made in range(out_channels // groups):
            to = channel * groups // channels * (out_channels // groups) + made
            for down, right in product(range(kernel), range(kernel)):
                place = (to, row * stride + down, column * stride + right)
                out.setdefault(place, []).append(tally.dot([LEARNED], [INPUT]))
    return {place: mixed(numbers) for place, numbers in out.items()}


@loop
def patches(tally, shape, *, size, width):
    """Count a convolution whose stride is its kernel size."""
    convolve(tally, grid(shape), shape, width, size, stride=size)


@loop
def patch_merging(tally, shape):
    """Count four places' channels, normalised with trainable weights, projected to twice the channels."""
    channels, height, across = shape
    for _ in product(range(0, height, 2), range(0, across, 2)):
        tally.dense([LEARNED] * 4 * channels, 2 * channels)


def _pool(tally, shape, *, kernel, stride, padding=0, rounds_up=False):
    channels, *sizes = shape
    counts = []
    for size in sizes:
        starts = list(range(-padding, size + padding - kernel + 1, stride))
        if rounds_up and starts[-1] + kernel < size + padding:
            starts.append(starts[-1] + stride)
        counts.append(len(starts))
    for _ in product(range(channels), *map(range, counts)):
        for _ in product(range(kernel), range(kernel)):
            tally.elementwise += 1


LOOPS.update(dict.fromkeys(("max_pool2d", "average_pool2d"), _pool))
