"""Convolutions, patches and pooling."""

from collections.abc import Sequence
from typing import Any

from pipeline.tools.measure.layers.registry import module, wired


@module
def conv2d(shape: Sequence[int], *, out_channels: int, kernel: Any, has_bias: bool, **sizes: Any) -> Any:
    """Return an nn.Conv2d."""
    from torch import nn

    return nn.Conv2d(shape[0], out_channels, kernel, bias=has_bias, **sizes)


@module
def depthwise_conv2d(shape: Sequence[int], *, multiplier: int, **arguments: Any) -> Any:
    """Return an nn.Conv2d with as many groups as channels."""
    return conv2d(shape, out_channels=shape[0] * multiplier, groups=shape[0], **arguments)


@module
def patches(shape: Sequence[int], *, size: int, width: int, has_bias: bool) -> Any:
    """Return an nn.Conv2d whose stride equals its kernel size; its output pixels become positions."""
    layer = conv2d(shape, out_channels=width, kernel=size, stride=size, has_bias=has_bias)
    return wired(lambda self, x: self.layer(x).flatten(2).transpose(1, 2), layer=layer)


@module
def max_pool2d(shape: Sequence[int], *, kernel: int, stride: int, padding: int, rounds_up: bool) -> Any:
    """Return an nn.MaxPool2d."""
    from torch import nn

    return nn.MaxPool2d(kernel, stride, padding, ceil_mode=rounds_up)


@module
def global_average_pool2d(shape: Sequence[int]) -> Any:
    """Return an nn.AdaptiveAvgPool2d that keeps one element per channel, flattened."""
    from torch import nn

    return nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten())


@module
def adaptive_average_pool2d(shape: Sequence[int], *, size: int) -> Any:
    """Return an nn.AdaptiveAvgPool2d."""
    from torch import nn

    return nn.AdaptiveAvgPool2d(size)
