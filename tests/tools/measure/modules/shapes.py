"""Layers that reorder, repeat or join."""

from collections.abc import Sequence
from typing import Any

from pipeline.tools.measure.layers.registry import module, wired


@module
def average_positions(shape: Sequence[int]) -> Any:
    """The mean over positions."""
    return wired(lambda self, x: x.mean(1))


@module
def transpose(shape: Sequence[int]) -> Any:
    """Positions and channels exchanged."""
    return wired(lambda self, x: x.transpose(1, 2))


@module
def reshape(shape: Sequence[int], *, to: Any) -> Any:
    """The same elements in another shape."""
    sizes = (to,) if isinstance(to, int) else to
    return wired(lambda self, x: x.reshape(x.shape[0], *sizes))


@module
def crop2d(shape: Sequence[int], *, size: int) -> Any:
    """The middle of a map."""
    top, left = (shape[1] - size) // 2, (shape[2] - size) // 2
    return wired(lambda self, x: x[:, :, top : top + size, left : left + size])


@module
def upsample2d(shape: Sequence[int], *, factor: int) -> Any:
    """nn.Upsample by repeating."""
    from torch import nn

    return nn.Upsample(scale_factor=factor)


@module
def join(shape: Sequence[int], *, width: int) -> Any:
    """Return a second input, averaged over its positions and joined to each position of the first."""
    import torch

    def forward(self: Any, x: Any, source: Any) -> Any:
        return torch.cat([x, source.mean(1, keepdim=True).expand(-1, x.shape[1], -1)], -1)

    return wired(forward, 2)
