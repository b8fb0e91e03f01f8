"""Attention over sequences, with torch's scaled_dot_product_attention."""

from collections.abc import Callable, Sequence
from typing import Any

from pipeline.tools.measure.layers.registry import module, wired


def split(x: Any, heads: int) -> Any:
    """Split the width into heads: return batch x heads x positions x head width."""
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)


def joined(x: Any) -> Any:
    """Join the heads again: return batch x positions x width."""
    return x.transpose(1, 2).flatten(2)


def fused(queries: Any, keys: Any, values: Any, **settings: Any) -> Any:
    """Return the output of torch's scaled_dot_product_attention for these heads."""
    from torch.nn import functional as F  # noqa: N812

    return F.scaled_dot_product_attention(queries, keys, values, **settings)


@module
def self_attention(
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
    """Return a module of projections, attention and an output projection. A window is applied as a mask, which saves no operations.

    `attend(queries, keys, values, **settings)` takes heads, and settings for scaled_dot_product_attention.
    """
    import torch
    from torch import nn

    length, width = shape
    groups, value = key_value_heads or heads, value_width or head_width
    has_into = has_biases or has_input_biases
    settings: dict[str, Any] = {"enable_gqa": True} if groups != heads else {}
    is_masked = window is not None and window < length
    if is_causal and not is_masked:
        settings["is_causal"] = True

    def forward(self: Any, x: Any) -> Any:
        queries, keys = split(self.queries(x), heads), split(self.keys(x), groups)
        if norm_parameters:
            scale = self.norm.sum()  # a model may have one scale per head, per head width, or per whole width
            queries, keys = queries * scale, keys * scale
        mask = {"attn_mask": self.seen} if is_masked else {}
        return self.out(joined(attend(queries, keys, split(self.values(x), groups), **settings, **mask)))

    parts = {"norm": nn.Parameter(torch.full((norm_parameters,), 1 / norm_parameters))} if norm_parameters else {}
    layer = wired(
        forward,
        queries=nn.Linear(width, heads * head_width, bias=has_into),
        keys=nn.Linear(width, groups * head_width, bias=has_into and has_key_bias),
        values=nn.Linear(width, groups * value, bias=has_into),
        out=nn.Linear(heads * value, width, bias=has_biases),
        **parts,
    )
    if is_masked:
        distance = torch.arange(length)[:, None] - torch.arange(length)
        seen = (distance >= 0) & (distance < window) if is_causal else distance.abs() <= window // 2
        layer.register_buffer("seen", seen)
    return layer
