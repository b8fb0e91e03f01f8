"""Torch modules: one for each layer kind in the timed networks.

A module takes the same arguments as its formula in `pipeline.formulas.layers`. tests/tools/measure/layers compares its
parameters, shapes and operations with the formula's.
"""

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from math import prod
from typing import Any

from pipeline.formulas.layers import KINDS
from pipeline.tools.measure import torch_on_use as torch

# `build` handles these, which say that a layer shares weights with another.
OF_THE_NETWORK = ("is_shared", "is_tied")


class UnbuildableError(ValueError):
    """A layer for which we have no torch module. The message names the layer and the reason."""


def torch_module(kind: str, shape: Sequence[float], arguments: Mapping[str, Any], **settings: Any) -> Any:
    """Return the torch module for one layer, on torch's default device and with torch's default initial weights.

    `shape` is the layer's input shape without the batch. Missing arguments get the formula's defaults. `settings` are
    arguments of the builder that the layer kind lacks. Raise UnbuildableError if the kind has no module, or if its module
    lacks an argument.
    """
    if kind not in MODULES:
        raise UnbuildableError(f"layer kind {kind} has no torch module here")
    if any(axis != int(axis) for axis in shape):
        raise UnbuildableError(f"{kind}: a mean length ({shape[0]:g}) is not a shape")
    defaults = {name: entry.default for name, entry in signature(KINDS[kind]).parameters.items() if name != "shape"}
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in arguments.items()}
    parameters = signature(MODULES[kind]).parameters
    takes_others = any(entry.kind is entry.VAR_KEYWORD for entry in parameters.values())
    # An argument that the module lacks is harmless if it has the formula's default.
    lacking = [name for name in values if name not in (*parameters, *OF_THE_NETWORK) and values[name] != defaults[name]]
    if lacking and not takes_others:
        raise UnbuildableError(f"{kind}: its torch module has no {', '.join(lacking)}")
    accepted = {name: value for name, value in {**defaults, **values}.items() if name not in OF_THE_NETWORK}
    accepted = {name: value for name, value in accepted.items() if takes_others or name in parameters}
    return MODULES[kind](tuple(int(axis) for axis in shape), **accepted, **settings)


def wired(run: Callable[..., Any], **parts: Any) -> Any:
    """Return a module with these attributes, whose forward pass is `run(module, x)`."""

    class Wired(torch.nn.Module):
        def forward(self, x):
            return run(self, x)

    layer = Wired()
    for name, part in parts.items():
        setattr(layer, name, part)
    return layer


def fused(queries: Any, keys: Any, values: Any, **settings: Any) -> Any:
    """Return the output of torch's scaled_dot_product_attention for these heads."""
    return torch.nn.functional.scaled_dot_product_attention(queries, keys, values, **settings)


def _self_attention(
    shape: Sequence[int],
    *,
    heads: int,
    head_width: int,
    key_value_heads: int | None,
    value_width: int | None,
    is_causal: bool,
    window: int | None,
    has_biases: bool,
    has_input_biases: bool,
    has_key_bias: bool,
    norm_parameters: int,
    attend: Callable[..., Any] = fused,
) -> Any:
    """Return projections, attention and an output projection. A window is applied as a mask, which saves no operations.

    `attend(queries, keys, values, **settings)` takes heads, and settings for scaled_dot_product_attention.
    """
    length, width = shape
    groups, value = key_value_heads or heads, value_width or head_width
    has_into = has_biases or has_input_biases
    settings: dict[str, Any] = {"enable_gqa": True} if groups != heads else {}
    is_masked = window is not None and window < length
    if is_causal and not is_masked:
        settings["is_causal"] = True

    def split(x: Any, number: int) -> Any:  # to batch x heads x positions x head width
        return x.unflatten(-1, (number, -1)).transpose(1, 2)

    def forward(self: Any, x: Any) -> Any:
        queries, keys = split(self.queries(x), heads), split(self.keys(x), groups)
        if norm_parameters:
            scale = self.norm.sum()  # a model may have one scale per head, per head width, or per whole width
            queries, keys = queries * scale, keys * scale
        mask = {"attn_mask": self.seen} if is_masked else {}
        mixed = attend(queries, keys, split(self.values(x), groups), **settings, **mask)
        return self.out(mixed.transpose(1, 2).flatten(2))

    linear, parts = torch.nn.Linear, {}
    if norm_parameters:
        parts["norm"] = torch.nn.Parameter(torch.full((norm_parameters,), 1 / norm_parameters))
    layer = wired(
        forward,
        queries=linear(width, heads * head_width, bias=has_into),
        keys=linear(width, groups * head_width, bias=has_into and has_key_bias),
        values=linear(width, groups * value, bias=has_into),
        out=linear(heads * value, width, bias=has_biases),
        **parts,
    )
    if is_masked:
        distance = torch.arange(length)[:, None] - torch.arange(length)
        seen = (distance >= 0) & (distance < window) if is_causal else distance.abs() <= window // 2
        layer.register_buffer("seen", seen)
    return layer


def _feed_forward(shape: Sequence[int], *, width: int, is_gated: bool, has_biases: bool) -> Any:
    """Return a linear layer, GELU and a linear layer. The gated form has a SiLU gate instead."""
    nn = torch.nn
    into, out = nn.Linear(shape[1], width, bias=has_biases), nn.Linear(width, shape[1], bias=has_biases)
    if not is_gated:
        return nn.Sequential(into, nn.GELU(), out)
    gate = nn.Sequential(nn.Linear(shape[1], width, bias=has_biases), nn.SiLU())
    return wired(lambda self, x: self.out(self.gate(x) * self.into(x)), into=into, gate=gate, out=out)


def _squeeze_excitation(shape: Sequence[int], *, width: int, has_bias: bool) -> Any:
    """Return a module that multiplies channels by factors from a mean over positions and two 1 x 1 convolutions."""
    nn = torch.nn
    into, out = nn.Conv2d(shape[0], width, 1, bias=has_bias), nn.Conv2d(width, shape[0], 1, bias=has_bias)
    factors = nn.Sequential(nn.AdaptiveAvgPool2d(1), into, nn.ReLU(), out)
    return wired(lambda self, x: x * self.factors(x).sigmoid(), factors=factors)


def _conv2d(shape: Sequence[int], *, out_channels: int, kernel: Any, has_bias: bool, **sizes: Any) -> Any:
    return torch.nn.Conv2d(shape[0], out_channels, kernel, bias=has_bias, **sizes)


def _depthwise_conv2d(shape: Sequence[int], *, multiplier: int, **arguments: Any) -> Any:
    return _conv2d(shape, out_channels=shape[0] * multiplier, groups=shape[0], **arguments)


def _patches(shape: Sequence[int], *, size: int, width: int, has_bias: bool) -> Any:
    """Return a convolution whose stride equals its kernel size; its output pixels become positions."""
    layer = torch.nn.Conv2d(shape[0], width, size, stride=size, bias=has_bias)
    return wired(lambda self, x: self.layer(x).flatten(2).transpose(1, 2), layer=layer)


def _max_pool2d(shape: Sequence[int], *, kernel: int, stride: int, padding: int, rounds_up: bool) -> Any:
    return torch.nn.MaxPool2d(kernel, stride, padding, ceil_mode=rounds_up)


def _layer_norm(shape: Sequence[int], *, has_scale: bool, has_bias: bool) -> Any:
    if has_bias and not has_scale:
        raise UnbuildableError("layer_norm: torch has no bias without a scale")
    return torch.nn.LayerNorm(shape[-1], elementwise_affine=has_scale, bias=has_bias)


def _activation(shape: Sequence[int], *, function: str) -> Any:
    names = {
        "relu": "ReLU", "relu6": "ReLU6", "gelu": "GELU", "silu": "SiLU", "swish": "SiLU", "tanh": "Tanh", "elu": "ELU",
        "sigmoid": "Sigmoid", "hard_swish": "Hardswish", "hard_sigmoid": "Hardsigmoid", "leaky_relu": "LeakyReLU",
    }  # fmt: skip
    return torch.nn.Softmax(-1) if function == "softmax" else getattr(torch.nn, names[function])()


def _position_embedding(shape: Sequence[int], *, positions: int) -> Any:
    """Return a module that adds a learned vector to each position."""
    table = torch.nn.Parameter(torch.randn(positions, shape[1]) / 50)
    return wired(lambda self, x: x + self.table[: shape[0]], table=table)


def _class_token(shape: Sequence[int]) -> Any:
    """Return a module that prepends one learned vector to the sequence."""
    token = torch.nn.Parameter(torch.zeros(1, 1, shape[1]))
    return wired(lambda self, x: torch.cat([self.token.expand(x.shape[0], -1, -1), x], 1), token=token)


def _learned_parameters(shape: Sequence[int], *, number: int) -> Any:
    """Return a module that adds weights, one per element or as whole vectors of the last axis, or multiplies channels by them.

    If the weights fit neither (such as a look-up table), it adds their mean, so that each weight gets a gradient.
    """
    values = torch.nn.Parameter(torch.ones(number))
    if number == prod(shape):
        return wired(lambda self, x: x + self.values.view(shape), values=values)
    if len(shape) == 3 and number == shape[0]:
        return wired(lambda self, x: x * self.values.view(-1, 1, 1), values=values)
    if number % shape[-1] == 0 and number > 1:
        return wired(lambda self, x: x + self.values.view(-1, shape[-1]).mean(0), values=values)
    return wired(lambda self, x: x + self.values.mean(), values=values)


def recurrent(kind: str) -> Callable[..., Any]:
    """Return a builder for nn.LSTM, nn.GRU or nn.RNN."""

    def built(
        shape: Sequence[int], *, width: int, bias_vectors: int, is_bidirectional: bool, projection: int | None = None
    ) -> Any:
        if bias_vectors == 1:
            raise UnbuildableError(
                f"{kind}: torch's module has two bias vectors per gate or none; state bias_vectors: 2"
            )
        sizes = {"proj_size": projection} if projection else {}
        layer = getattr(torch.nn, kind.upper())(
            shape[1], width, bias=bias_vectors > 0, batch_first=True, bidirectional=is_bidirectional, **sizes
        )
        return wired(lambda self, x: self.layer(x)[0], layer=layer)

    return built


MODULES: dict[str, Callable[..., Any]] = {
    "activation": _activation,
    "adaptive_average_pool2d": lambda shape, size: torch.nn.AdaptiveAvgPool2d(size),
    "batch_norm": lambda shape: getattr(torch.nn, f"BatchNorm{max(len(shape) - 1, 1)}d")(shape[0]),
    "class_token": _class_token,
    "conv2d": _conv2d,
    "depthwise_conv2d": _depthwise_conv2d,
    "dropout": lambda shape: torch.nn.Dropout(),
    "embedding": lambda shape, vocabulary, width: torch.nn.Embedding(vocabulary, width),
    "feed_forward": _feed_forward,
    "flatten": lambda shape: torch.nn.Flatten(),
    "global_average_pool2d": lambda shape: torch.nn.Sequential(torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten()),
    "layer_norm": _layer_norm,
    "learned_parameters": _learned_parameters,
    "linear": lambda shape, out_features, has_bias: torch.nn.Linear(shape[-1], out_features, bias=has_bias),
    "lstm": recurrent("lstm"),
    "max_pool2d": _max_pool2d,
    "patches": _patches,
    "position_embedding": _position_embedding,
    "relu": lambda shape: torch.nn.ReLU(),
    "select_position": lambda shape: wired(lambda self, x: x[:, 0]),
    "self_attention": _self_attention,
    "squeeze_excitation": _squeeze_excitation,
    "unembedding": lambda shape, vocabulary, has_bias: torch.nn.Linear(shape[1], vocabulary, bias=has_bias),
}
