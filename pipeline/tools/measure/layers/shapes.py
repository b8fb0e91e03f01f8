"""Layers that select or reorder."""

from collections.abc import Sequence
from typing import Any

from pipeline.tools.measure.layers.registry import module, wired


@module
def flatten(shape: Sequence[int]) -> Any:
    """nn.Flatten."""
    from torch import nn

    return nn.Flatten()


@module
def select_position(shape: Sequence[int]) -> Any:
    """The first position."""
    return wired(lambda self, x: x[:, 0])
