"""Normalisations and activations."""

from collections.abc import Sequence
from typing import Any

from pipeline.tools.measure.layers.registry import UnbuildableError, module


@module
def batch_norm(shape: Sequence[int]) -> Any:
    """Return an nn.BatchNorm1d, 2d or 3d."""
    from torch import nn

    return (nn.BatchNorm1d, nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d)[len(shape) - 1](shape[0])


@module
def layer_norm(shape: Sequence[int], *, has_scale: bool, has_bias: bool) -> Any:
    """Return an nn.LayerNorm. Raise UnbuildableError for a bias without a scale."""
    from torch import nn

    if has_bias and not has_scale:
        raise UnbuildableError("layer_norm: torch has no bias without a scale")
    return nn.LayerNorm(shape[-1], elementwise_affine=has_scale, bias=has_bias)


@module
def relu(shape: Sequence[int]) -> Any:
    """Return an nn.ReLU."""
    from torch import nn

    return nn.ReLU()


@module
def activation(shape: Sequence[int], *, function: str) -> Any:
    """Return the activation with this name."""
    from torch import nn

    functions = {
        "relu": nn.ReLU, "relu6": nn.ReLU6, "gelu": nn.GELU, "silu": nn.SiLU, "swish": nn.SiLU, "tanh": nn.Tanh,
        "sigmoid": nn.Sigmoid, "hard_swish": nn.Hardswish, "hard_sigmoid": nn.Hardsigmoid, "leaky_relu": nn.LeakyReLU,
        "elu": nn.ELU, "softmax": lambda: nn.Softmax(-1),
    }  # fmt: skip
    return functions[function]()


@module
def dropout(shape: Sequence[int]) -> Any:
    """Return an nn.Dropout."""
    from torch import nn

    return nn.Dropout()
