"""Layers that only move or select elements."""

from math import prod

from pipeline.formulas.layers.count import LayerCount, LayerError, Shape, Size, kind
from pipeline.formulas.layers.sizes import check_axes, check_positive, shape_text


@kind
def flatten(shape: Shape) -> LayerCount:
    """Flatten all axes into one.

    >>> flatten((256, 6, 6)).shape
    (9216,)
    """
    return LayerCount((prod(shape),))


@kind
def class_token(shape: Shape) -> LayerCount:
    """Prepend a learned position to the sequence.

    >>> class_token((196, 768)).shape
    (197, 768)
    """
    length, width = check_axes(shape, 2, "positions x width")
    return LayerCount((length + 1, width), int(width))


@kind
def select_position(shape: Shape) -> LayerCount:
    """Select one position of a sequence, such as the class token's output.

    >>> select_position((197, 768)).shape
    (768,)
    """
    _, width = check_axes(shape, 2, "positions x width")
    return LayerCount((width,))


@kind
def average_positions(shape: Shape) -> LayerCount:
    """Average over positions, with one addition per element.

    >>> average_positions((196, 768)).shape
    (768,)
    """
    _, width = check_axes(shape, 2, "positions x width")
    return LayerCount((width,), elementwise_flop=prod(shape))


@kind
def transpose(shape: Shape) -> LayerCount:
    """Exchange positions and channels, so that the next layer mixes positions.

    >>> transpose((196, 768)).shape
    (768, 196)
    """
    length, width = check_axes(shape, 2, "positions x width")
    return LayerCount((width, length))


@kind
def reshape(shape: Shape, *, to: Size) -> LayerCount:
    """Arrange the same elements in another shape.

    >>> reshape((16384,), to=[1024, 4, 4]).shape
    (1024, 4, 4)
    """
    sizes = (to,) if isinstance(to, int) else tuple(to)
    if prod(sizes) != prod(shape):
        raise LayerError(f"{prod(shape):g} elements cannot take the shape {shape_text(sizes)}")
    return LayerCount(sizes)


@kind
def upsample2d(shape: Shape, *, factor: int) -> LayerCount:
    """Repeat each element factor x factor times.

    >>> upsample2d((128, 16, 16), factor=2).shape
    (128, 32, 32)
    """
    check_positive(factor=factor)
    channels, height, width = check_axes(shape, 3, "channels x height x width")
    return LayerCount((channels, height * factor, width * factor))


@kind
def join(shape: Shape, *, width: int) -> LayerCount:
    """Concatenate each position with another path's output of this width, such as an attention context.

    >>> join((20, 1024), width=1024).shape
    (20, 2048)
    """
    check_positive(width=width)
    length, inner = check_axes(shape, 2, "positions x width")
    return LayerCount((length, inner + width))


@kind
def crop2d(shape: Shape, *, size: int) -> LayerCount:
    """Cut out the central part of a feature map.

    >>> crop2d((512, 64, 64), size=56).shape
    (512, 56, 56)
    """
    check_positive(size=size)
    channels, height, width = check_axes(shape, 3, "channels x height x width")
    if size > min(height, width):
        raise LayerError(f"nothing of size {size} can be cut from {shape_text((height, width))}")
    return LayerCount((channels, size, size))
