"""Adapters, the merge of two tokens, and further norms."""

from collections.abc import Sequence
from typing import Any

from pipeline.tools.measure.layers.registry import module, wired


@module
def low_rank_adapter(shape: Sequence[int], *, out_features: int, rank: int) -> Any:
    """Two narrow nn.Linear."""
    from torch import nn

    return nn.Sequential(nn.Linear(shape[-1], rank, bias=False), nn.Linear(rank, out_features, bias=False))


@module
def next_token_merge(shape: Sequence[int]) -> Any:
    """Return two norms and a product of twice the width; the trunk shifted by one replaces the next token's embedding."""
    import torch
    from torch import nn

    def forward(self: Any, x: Any) -> Any:
        return self.out(torch.cat([self.first(x), self.second(x.roll(-1, 1))], -1))

    width = shape[1]
    norms = {name: nn.RMSNorm(width) for name in ("first", "second")}
    return wired(forward, out=nn.Linear(2 * width, width, bias=False), **norms)


@module
def local_response_norm(shape: Sequence[int], *, size: int) -> Any:
    """nn.LocalResponseNorm."""
    from torch import nn

    return nn.LocalResponseNorm(size)


@module
def layer_norm2d(shape: Sequence[int]) -> Any:
    """nn.LayerNorm over the channels."""
    from torch import nn

    norm = nn.LayerNorm(shape[0])
    return wired(lambda self, x: self.norm(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2), norm=norm)


@module
def group_norm(shape: Sequence[int], *, groups: int) -> Any:
    """nn.GroupNorm."""
    from torch import nn

    return nn.GroupNorm(groups, shape[0])
