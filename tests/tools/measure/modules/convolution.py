"""Convolutions over one and three axes, transposed ones, merged patches, means of windows."""

from collections.abc import Sequence
from typing import Any

from pipeline.tools.measure.layers.registry import module, wired


@module
def conv1d(shape: Sequence[int], *, out_channels: int, kernel: Any, has_bias: bool, **sizes: Any) -> Any:
    """nn.Conv1d."""
    from torch import nn

    return nn.Conv1d(shape[0], out_channels, kernel, bias=has_bias, **sizes)


@module
def conv3d(shape: Sequence[int], *, out_channels: int, kernel: Any, has_bias: bool, **sizes: Any) -> Any:
    """nn.Conv3d."""
    from torch import nn

    return nn.Conv3d(shape[0], out_channels, kernel, bias=has_bias, **sizes)


@module
def conv_transpose2d(shape: Sequence[int], *, out_channels: int, kernel: Any, has_bias: bool, **sizes: Any) -> Any:
    """nn.ConvTranspose2d."""
    from torch import nn

    return nn.ConvTranspose2d(shape[0], out_channels, kernel, bias=has_bias, **sizes)


@module
def patch_merging(shape: Sequence[int]) -> Any:
    """Each 2 x 2 places as one vector, nn.LayerNorm, nn.Linear; a map of odd size is padded."""
    from torch import nn
    from torch.nn import functional as F  # noqa: N812

    channels, height, across = shape

    def forward(self: Any, x: Any) -> Any:
        if height % 2 or across % 2:
            x = F.pad(x, (0, across % 2, 0, height % 2))
        cut = x.unflatten(3, (-1, 2)).unflatten(2, (-1, 2)).permute(0, 2, 4, 3, 5, 1).flatten(3)
        return self.reduce(self.norm(cut)).permute(0, 3, 1, 2)

    return wired(forward, norm=nn.LayerNorm(4 * channels), reduce=nn.Linear(4 * channels, 2 * channels, bias=False))


@module
def average_pool2d(shape: Sequence[int], *, kernel: int, stride: int, padding: int, rounds_up: bool) -> Any:
    """nn.AvgPool2d; `rounds_up` is its ceil_mode."""
    from torch import nn

    return nn.AvgPool2d(kernel, stride, padding, ceil_mode=rounds_up)
