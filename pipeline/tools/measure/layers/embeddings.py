"""Embeddings, the projection to the vocabulary, and weights that are added or looked up."""

from collections.abc import Sequence
from math import prod
from typing import Any

from pipeline.tools.measure.layers.registry import module, wired


@module
def embedding(shape: Sequence[int], *, vocabulary: int, width: int) -> Any:
    """Return an nn.Embedding."""
    from torch import nn

    return nn.Embedding(vocabulary, width)


@module
def unembedding(shape: Sequence[int], *, vocabulary: int, has_bias: bool) -> Any:
    """Return an nn.Linear to the vocabulary."""
    from torch import nn

    return nn.Linear(shape[1], vocabulary, bias=has_bias)


@module
def position_embedding(shape: Sequence[int], *, positions: int) -> Any:
    """Return a module that adds a learned vector to each position."""
    import torch

    table = torch.nn.Parameter(torch.randn(positions, shape[1]) / 50)
    return wired(lambda self, x: x + self.table[: shape[0]], table=table)


@module
def class_token(shape: Sequence[int]) -> Any:
    """Return a module that prepends one learned vector to the sequence."""
    import torch

    token = torch.nn.Parameter(torch.zeros(1, 1, shape[1]))
    return wired(lambda self, x: torch.cat([self.token.expand(x.shape[0], -1, -1), x], 1), token=token)


@module
def learned_parameters(shape: Sequence[int], *, number: int) -> Any:
    """Return a module that adds weights, one per element or as whole vectors of the last axis, or multiplies channels by them.

    If the weights fit neither (such as a look-up table), it adds their mean, so that each weight gets a gradient.
    """
    import torch

    values = torch.nn.Parameter(torch.ones(number))
    if number == prod(shape):
        return wired(lambda self, x: x + self.values.view(shape), values=values)
    if len(shape) == 3 and number == shape[0]:
        return wired(lambda self, x: x * self.values.view(-1, 1, 1), values=values)
    if number % shape[-1] == 0 and number > 1:
        return wired(lambda self, x: x + self.values.view(-1, shape[-1]).mean(0), values=values)
    return wired(lambda self, x: x + self.values.mean(), values=values)
