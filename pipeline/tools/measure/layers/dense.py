"""Linear layers, and layers composed of them."""

from collections.abc import Sequence
from typing import Any

from pipeline.tools.measure.layers.registry import module, wired


@module
def linear(shape: Sequence[int], *, out_features: int, has_bias: bool) -> Any:
    """Return an nn.Linear."""
    from torch import nn

    return nn.Linear(shape[-1], out_features, bias=has_bias)


@module
def feed_forward(shape: Sequence[int], *, width: int, is_gated: bool, has_biases: bool) -> Any:
    """Return nn.Linear, GELU, nn.Linear. The gated form has a SiLU gate instead."""
    from torch import nn

    out = nn.Linear(width, shape[1], bias=has_biases)
    into = nn.Linear(shape[1], width, bias=has_biases)
    if not is_gated:
        return nn.Sequential(into, nn.GELU(), out)
    gate = nn.Linear(shape[1], width, bias=has_biases)
    return wired(
        lambda self, x: self.out(self.act(self.gate(x)) * self.into(x)), into=into, gate=gate, out=out, act=nn.SiLU()
    )


@module
def squeeze_excitation(shape: Sequence[int], *, width: int, has_bias: bool) -> Any:
    """Return a module that multiplies channels by factors from a mean over positions, two 1 x 1 convolutions and a sigmoid."""
    from torch import nn

    return wired(
        lambda self, x: x * self.up(self.act(self.down(self.pool(x)))).sigmoid(),
        pool=nn.AdaptiveAvgPool2d(1),
        down=nn.Conv2d(shape[0], width, 1, bias=has_bias),
        act=nn.ReLU(),
        up=nn.Conv2d(width, shape[0], 1, bias=has_bias),
    )
