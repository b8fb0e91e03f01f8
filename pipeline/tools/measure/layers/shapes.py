"""Layers that select or reorder elements."""

from collections.abc import Sequence
from typing import Any

from pipeline.tools.measure.layers.registry import module, wired


@module
def flatten(shape: Sequence[int]) -> Any:
    """Return an nn.Flatten."""
    from torch import nn

    return nn.Flatten()


@module
def select_position(shape: Sequence[int]) -> Any:
    """Return a module that selects the first position."""
    return wired(lambda self, x: x[:, 0])
